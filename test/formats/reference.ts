// A second, straightforward reader of NDJSON and CSV files with animals, to compare the real one with. It looks at one character after the
// other, and at the whole file.
import type { FileFormat } from "../../src/domain/file-format.ts";

/** What became of one record: the animal as text, or "bad". */
export type Outcome = readonly [line: number, animal: string];

export interface Reading {
	readonly outcomes: readonly Outcome[];
	/** The line that makes the whole file unreadable. */
	readonly refusedAt?: number;
}

export function readByReference(
	format: FileFormat,
	bytes: Uint8Array,
	isUpdate = false,
): Reading {
	const utf8 = fromUtf16(bytes) ?? bytes;
	const broken = toLatin1(utf8)
		.split("\n")
		.findIndex((line) => toText(line) === undefined);
	if (broken !== -1) return { outcomes: [], refusedAt: broken + 1 };
	return format === "csv"
		? readCsv(utf8, isUpdate)
		: readNdjson(utf8, isUpdate);
}

/** Half a character becomes a byte that is not UTF-8. Undefined for a file without the byte order mark of UTF-16. */
function fromUtf16(bytes: Uint8Array): Uint8Array | undefined {
	const [first = 0, second = 0] = bytes;
	const isBig = first === 0xfe && second === 0xff;
	if (!isBig && !(first === 0xff && second === 0xfe)) return undefined;
	const units = Buffer.from(bytes.subarray(0, bytes.length & ~1));
	const text = (isBig ? units.swap16() : units).toString("utf16le");
	const characters = [...text].map((character) =>
		character.isWellFormed() ? Buffer.from(character) : Buffer.of(0xff),
	);
	const half = bytes.length % 2 === 1 ? [Buffer.of(0xff)] : [];
	return Buffer.concat([...characters, ...half]);
}

function readNdjson(bytes: Uint8Array, isUpdate: boolean): Reading {
	const outcomes: Outcome[] = [];
	const all = toLatin1(bytes).replace(/^\xef\xbb\xbf/, "");
	for (const [index, line] of all.split("\n").entries()) {
		if (line === "" || line === "\r") continue;
		outcomes.push([index + 1, toAnimal(toText(line) ?? "", isUpdate)]);
	}
	return { outcomes };
}

function toAnimal(text: string, isUpdate: boolean): string {
	try {
		// Numbers become text with a mark, so that none is rounded.
		const value = JSON.parse(text, (_key, value, { source }) =>
			typeof value === "number" ? `\0number ${source}` : value,
		);
		if (typeof value !== "object" || value === null || Array.isArray(value))
			return "bad";
		const members = new Map<string, unknown>(Object.entries(value));
		const wholes = new Map(members);
		for (const name of ["id", "categoryId", "version"])
			if (members.has(name)) {
				const number = String(members.get(name));
				const numeral = /^\0number (.*)$/s.exec(number)?.[1];
				wholes.set(name, toWhole(numeral) ?? "bad");
			}
		return isUpdate ? judgeUpdate(wholes) : judgeMembers(wholes);
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

function judgeMembers(members: ReadonlyMap<string, unknown>): string {
	const category = members.get("categoryId");
	return judge(
		members.get("name"),
		typeof category === "bigint" ? category : undefined,
		members.get("status"),
	);
}

/** Without an id it adds an animal. With one, the members that it has must be right. */
function judgeUpdate(members: ReadonlyMap<string, unknown>): string {
	const isIn = (name: string, max: bigint) => {
		const value = members.get(name);
		return typeof value === "bigint" && value >= 1n && value <= max;
	};
	const hasVersion = members.has("version");
	const isVersion = !hasVersion || isIn("version", 2n ** 63n - 1n);
	if (!members.has("id")) return isVersion ? judgeMembers(members) : "bad";
	const whole = new Map<string, unknown>([
		...([
			["name", ""],
			["categoryId", 0n],
		] as const),
		...members,
	]);
	const isGood =
		isIn("id", 2n ** 63n - 1n) &&
		isVersion &&
		judgeMembers(whole) !== "bad" &&
		(!members.has("status") || members.get("status") !== undefined);
	if (!isGood) return "bad";
	const names = ["id", "name", "categoryId", "status", "version"];
	return JSON.stringify(names.map((name) => String(members.get(name) ?? null)));
}

/** The fields of a CSV record; undefined if it is malformed. */
interface CsvRecord {
	readonly line: number;
	readonly fields: readonly string[] | undefined;
}

function readCsv(bytes: Uint8Array, isUpdate: boolean): Reading {
	const text = toLatin1(bytes).replace(/^\xef\xbb\xbf/, "");
	const separators = [",", ";", "\t"];
	const readings = separators.map((separator) => toRecords(text, separator));
	const width = (records: CsvRecord[]) => records[0]?.fields?.length ?? 0;
	const [header, ...records] = readings.reduce((best, other) =>
		width(other) > width(best) ? other : best,
	);
	const known = ["id", "name", "categoryId", "status", "version"];
	const names = header?.fields?.map((field) => {
		const name = toText(field)?.trim().toLowerCase();
		return known.find((column) => column.toLowerCase() === name);
	});
	const isGood =
		names !== undefined &&
		!names.includes(undefined) &&
		new Set(names).size === names.length &&
		(isUpdate
			? names.includes("id")
			: names.includes("name") && names.includes("categoryId"));
	if (!isGood) return { outcomes: [], refusedAt: header?.line ?? 1 };
	return {
		outcomes: records.map(({ line, fields }) => {
			const texts = fields?.map(toText);
			if (texts?.length !== names.length || texts.includes(undefined))
				return [line, "bad"];
			const members = new Map<string, unknown>();
			for (const [index, name = ""] of names.entries()) {
				const text = texts[index] ?? "";
				const isPlain = /^(0|-?[1-9]\d*)$/.test(text);
				const isText = name === "name" || name === "status";
				const isLeft = isUpdate && texts[names.indexOf("id")] !== "";
				if (text !== "" || (name === "name" && !isLeft))
					members.set(name, isText ? text : isPlain ? BigInt(text) : "bad");
			}
			return [line, isUpdate ? judgeUpdate(members) : judgeMembers(members)];
		}),
	};
}

function toRecords(text: string, separator: string): CsvRecord[] {
	const records: CsvRecord[] = [];
	let start = 1;
	let fields: string[] = [];
	let field = "";
	let fieldAt = 0;
	let state: "start" | "plain" | "quoted" | "closed" = "start";
	const endRecord = (found: CsvRecord["fields"]) => {
		const isEmpty = found && state === "start" && fields.length === 0;
		if (!isEmpty) records.push({ line: start, fields: found });
		[fields, field, state] = [[], "", "start"];
	};
	for (let at = 0; at <= text.length; at++) {
		const char = text[at] ?? "end";
		const isLineEnd = char === "\n" || (char === "\r" && text[at + 1] === "\n");
		if (field === "" && state === "start") fieldAt = at;
		if (state === "quoted" && char !== "end") {
			if (char === '"' && text[at + 1] === '"') field += text[++at];
			else if (char === '"') state = "closed";
			else field += char;
		} else if (state !== "quoted" && (isLineEnd || char === "end")) {
			if (char === "\r") at++;
			endRecord([...fields, field]);
			start = text.slice(0, at + 1).split("\n").length;
		} else if (char === separator) {
			fields.push(field);
			[field, state] = ["", "start"];
		} else if (char === '"' && state === "start") state = "quoted";
		else if (['"', "\r", "end"].includes(char) || state === "closed") {
			// Malformed: the next record begins on the line after this field began.
			const end = text.indexOf("\n", fieldAt);
			endRecord(undefined);
			at = end === -1 ? text.length : end;
			start = text.slice(0, at + 1).split("\n").length;
		} else {
			state = "plain";
			field += char;
		}
	}
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
