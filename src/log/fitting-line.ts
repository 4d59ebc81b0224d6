// Makes a log line short enough for its output. Long strings, such as a stack trace, lose their ends, and the line says so.
import type { LogRecord } from "./text.ts";

/** The encoded line, or undefined if it is too long even with short strings. */
export function toFittingLine(
	record: LogRecord,
	encode: (record: LogRecord) => string,
	maxBytes: number,
): string | undefined {
	const whole = encode(record);
	if (Buffer.byteLength(whole) <= maxBytes) return whole;
	for (const length of stringLengths) {
		const line = encode(cutStrings(record, length));
		if (Buffer.byteLength(line) <= maxBytes) return line;
	}
	return undefined;
}

/** Tried in this order. The last one leaves the time of the line whole. */
const stringLengths = [2_048, 1_024, 256, 64];

/** The record with `cut: true`. */
function cutStrings(record: LogRecord, length: number): LogRecord {
	const cut = JSON.stringify({ ...record, cut: true }, (_name, value) =>
		typeof value === "string" ? value.slice(0, length) : value,
	);
	return JSON.parse(cut);
}
