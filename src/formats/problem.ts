// What is wrong with a file, or a line of it: the column, its value and the rule.
import { toJson } from "../json.ts";

/** The whole file cannot be read. */
export class FormatError extends Error {
	readonly line: number;
	/** The option of the import that helps, which each interface has under another name. */
	readonly remedy: "ignoreUnknown" | undefined;

	constructor(line: number, message: string, remedy?: "ignoreUnknown") {
		super(message);
		this.line = line;
		this.remedy = remedy;
	}
}

interface Problem {
	/** The column or member; absent if the line itself is wrong. */
	readonly field?: string;
	/** The beginning of the value as text; absent if there is none. */
	readonly value?: string;
	/** A sentence with the rule. */
	readonly message: string;
}

/** Lines count from 1. */
export type LineProblem = Problem & { readonly line: number };

/** One for each broken rule. */
export type Problems = readonly Problem[];

export function isProblems(read: object | undefined): read is Problems {
	return Array.isArray(read);
}

/** `value` is as `parseJson` returns it. */
export function ofField(
	field: string,
	value: unknown,
	message: string,
): Problem {
	if (value === undefined) return { field, message };
	const text = typeof value === "string" ? value : toJson(value);
	const start = text.slice(0, maxValueLength).toWellFormed();
	const shown = text.length > maxValueLength ? `${start}…` : text;
	return { field, value: shown, message };
}

const maxValueLength = 40;

/** For people: `status must be one of available, pending, sold; found "gone".` */
export function problemToText({ value, message }: Problem): string {
	return value === undefined
		? message
		: `${message.replace(/\.$/, "")}; found ${JSON.stringify(value)}.`;
}
