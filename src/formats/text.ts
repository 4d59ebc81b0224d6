// Turns the bytes of a file into text: UTF-8, or UTF-16 with a byte order mark, which spreadsheets write.
import { isUtf8 } from "node:buffer";
import { maxImportedLineBytes } from "../limits.ts";

/** A line that is not valid gets a lone surrogate, which no valid text has. */
const invalid = "\ud800";
const lineFeed = 0x0a;

/** Returns a function that takes chunks. Text in UTF-8 comes in whole lines, unless one is too long. */
export function createDecoder() {
	let kept: Uint8Array = new Uint8Array();
	let encoding: ReturnType<typeof findEncoding> | undefined;
	let isStart = true;
	return (chunk: Uint8Array, isLast: boolean): string => {
		const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
		if (bytes.length >= 2 || isLast) encoding ??= findEncoding(bytes);
		const end = isLast ? bytes.length : findEnd(bytes, encoding);
		kept = bytes.subarray(end);
		const taken = bytes.subarray(0, end);
		const text =
			encoding === "utf-8" ? fromUtf8(taken) : fromUtf16(taken, encoding);
		if (!isStart || text === "") return text;
		isStart = false;
		return text.replace(/^\uFEFF/, "");
	};
}

function findEncoding([first, second]: Uint8Array) {
	if (first === 0xff && second === 0xfe) return "utf-16le";
	return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function findEnd(bytes: Uint8Array, encoding: string | undefined): number {
	if (encoding !== "utf-8") return encoding ? bytes.length & ~1 : 0;
	const end = bytes.lastIndexOf(lineFeed) + 1;
	return bytes.length - end > maxImportedLineBytes ? bytes.length : end;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function fromUtf8(bytes: Uint8Array): string {
	const text = decoder.decode(bytes);
	return isUtf8(bytes) ? text : markLines(bytes);
}

function markLines(bytes: Uint8Array): string {
	let text = "";
	for (let start = 0; start < bytes.length; ) {
		const end = bytes.indexOf(lineFeed, start) + 1 || bytes.length;
		const line = bytes.subarray(start, end);
		const decoded = decoder.decode(line);
		text += isUtf8(line)
			? decoded
			: decoded.replace(/\n?$/, (lineEnd) => invalid + lineEnd);
		start = end;
	}
	return text;
}

/** Half a character becomes a lone surrogate by itself. */
function fromUtf16(bytes: Uint8Array, encoding: string | undefined): string {
	const units = Buffer.from(bytes.subarray(0, bytes.length & ~1));
	const text = (encoding === "utf-16be" ? units.swap16() : units).toString(
		"utf16le",
	);
	return bytes.length % 2 === 1 ? text + invalid : text;
}
