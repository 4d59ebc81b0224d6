// What is wrong with a file, or a line of it: the column, its value and the rule.

/** The whole file cannot be read. */
export class FormatError extends Error {
	readonly line: number;

	constructor(line: number, message: string) {
		super(message);
		this.line = line;
	}
}

export interface Problem {
	/** The column or member; absent if the line itself is wrong. */
	readonly field?: string;
	/** The beginning of the value as text; absent if there is none. */
	readonly value?: string;
	/** A sentence with the rule. */
	readonly message: string;
}

export interface LineProblem extends Problem {
	/** From 1. */
	readonly line: number;
}

/** One for each broken rule. */
export type Problems = readonly Problem[];

export function isProblems(read: object | undefined): read is Problems {
	return Array.isArray(read);
}

export function ofLine(message: string): Problems {
	return [{ message }];
}

/** `value` is as `parseJson` returns it. */
export function ofField(
	field: string,
	value: unknown,
	message: string,
): Problem {
	return value === undefined
		? { field, message }
		: { field, value: cut(toText(value)), message };
}

/** For people: `status must be one of available, pending, sold; found "gone".` */
export function problemToText({ value, message }: Problem): string {
	return value === undefined
		? message
		: `${message.replace(/\.$/, "")}; found ${JSON.stringify(value)}.`;
}

function toText(value: unknown): string {
	if (typeof value === "string") return value;
	if (typeof value === "bigint") return String(value);
	return JSON.stringify(value, (_key, member: unknown) =>
		typeof member === "bigint" ? Number(member) : member,
	);
}

const maxValueLength = 40;

function cut(text: string): string {
	const characters = [...text.slice(0, 2 * maxValueLength + 1)];
	return characters.length > maxValueLength
		? `${characters.slice(0, maxValueLength).join("")}…`
		: text;
}
