// A second, straightforward reader of NDJSON and CSV files with animals, to compare the real one with. It looks at one character after the
// other, and at the whole file.
import type { FileFormat } from "../../src/domain/file-format.ts";

/** What became of one record: the animal as text, or "bad". */
export type Outcome = readonly [line: number, animal: string];

export interface Reading {
	readonly outcomes: readonly Outcome[];
	/** The line of a header that makes the whole file unreadable. */
	readonly refusedAt?: number;
}

export function readByReference(
	format: FileFormat,
	bytes: Uint8Array,
): Reading {
	return format === "csv" ? readCsv(bytes) : readNdjson(bytes);
}

function readNdjson(bytes: Uint8Array): Reading {
	const outcomes: Outcome[] = [];
	for (const [index, line] of toLatin1(bytes).split("\n").entries()) {
		if (line === "" || line === "\r") continue;
		const text = toText(line)?.replace(/^\uFEFF/, "");
		outcomes.push([index + 1, text === undefined ? "bad" : toAnimal(text)]);
	}
	return { outcomes };
}

function toAnimal(text: string): string {
	try {
		// Numbers become text with a mark, so that none is rounded.
		const value = JSON.parse(text, (_key, value, { source }) =>
			typeof value === "number" ? `\0number ${source}` : value,
		);
		if (typeof value !== "object" || value === null || Array.isArray(value))
			return "bad";
		const members = new Map<string, unknown>(Object.entries(value));
		const number = String(members.get("categoryId"));
		const category = /^\0number (.*)$/s.exec(number)?.[1];
		return judge(members.get("name"), toWhole(category), members.get("status"));
	} catch {
		return "bad";
	}
}

function toWhole(numeral: string | undefined): bigint | undefined {
	if (numeral === undefined) return undefined;
	if (/^-?\d+$/.test(numeral)) return BigInt(numeral);
	const value = Number(numeral);
	return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function judge(
	name: unknown,
	category: bigint | undefined,
	status: unknown = "available",
): string {
	const isGood =
		typeof name === "string" &&
		!name.includes("\0") &&
		name.isWellFormed() &&
		category !== undefined &&
		BigInt.asIntN(64, category) === category &&
		["available", "pending", "sold"].some((known) => known === status);
	return isGood ? JSON.stringify([name, String(category), status]) : "bad";
}

/** The fields of a CSV record; undefined if it is malformed. */
interface CsvRecord {
	readonly line: number;
	readonly fields: readonly string[] | undefined;
}

function readCsv(bytes: Uint8Array): Reading {
	const text = toLatin1(bytes).replace(/^\xef\xbb\xbf/, "");
	const [header, ...records] = toRecords(text).filter(
		({ fields }) => fields?.length !== 1 || fields[0] !== "",
	);
	const names = header?.fields?.map(toText);
	const isGood =
		names !== undefined &&
		new Set(names).size === names.length &&
		names.every((name = "") => /^(id|name|categoryId|status)$/.test(name)) &&
		names.includes("name") &&
		names.includes("categoryId");
	if (!isGood) return { outcomes: [], refusedAt: header?.line ?? 1 };
	return {
		outcomes: records.map(({ line, fields }) => {
			const texts = fields?.map(toText);
			if (texts?.length !== names.length || texts.includes(undefined))
				return [line, "bad"];
			const field = (name: string) => texts[names.indexOf(name)];
			const category = field("categoryId") ?? "";
			const status = field("status") || undefined;
			const isPlain = /^(0|-?[1-9]\d*)$/.test(category);
			const whole = isPlain ? BigInt(category) : undefined;
			return [line, judge(field("name"), whole, status)];
		}),
	};
}

function toRecords(text: string): CsvRecord[] {
	const records: CsvRecord[] = [];
	let [line, start] = [1, 1];
	let fields: string[] = [];
	let field = "";
	let state: "start" | "plain" | "quoted" | "closed" = "start";
	let isMalformed = false;
	const endRecord = () => {
		records.push({
			line: start,
			fields: isMalformed ? undefined : [...fields, field],
		});
		[fields, field, state, isMalformed] = [[], "", "start", false];
	};
	for (let at = 0; at < text.length; at++) {
		const char = text[at] ?? "";
		if (state === "quoted") {
			if (char === '"' && text[at + 1] === '"') field += text[++at];
			else if (char === '"') state = "closed";
			else field += char;
			if (char === "\n") line++;
		} else if (char === "\n" || (char === "\r" && text[at + 1] === "\n")) {
			if (char === "\r") at++;
			line++;
			endRecord();
			start = line;
		} else if (char === ",") {
			fields.push(field);
			[field, state] = ["", "start"];
		} else if (char === '"' && state === "start") state = "quoted";
		else {
			if (char === '"' || char === "\r" || state === "closed")
				isMalformed = true;
			if (state === "start") state = "plain";
			field += char;
		}
	}
	if (state === "quoted") isMalformed = true;
	if (text !== "" && !text.endsWith("\n")) endRecord();
	else if (state !== "start" || fields.length > 0) endRecord();
	return records;
}

/** One character for each byte. */
function toLatin1(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString("latin1");
}

/** The text that these bytes are in UTF-8; undefined if they are not. */
function toText(latin1: string): string | undefined {
	const bytes = Buffer.from(latin1, "latin1");
	const text = bytes.toString("utf8");
	return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}
