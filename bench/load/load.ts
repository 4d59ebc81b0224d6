// A load on a server: which requests, how many at once, for how long; and what came of it.
import { apiKey, type Template } from "../trials.ts";

export interface Load {
	/** With the base path. */
	readonly url: string;
	readonly templates: readonly Template[];
	/** Ids go from 1 to this. */
	readonly animals: number;
	/** Numbers that none had before begin here. */
	readonly firstNumber: number;
	readonly connections: number;
	readonly seconds: number;
	/** Requests a second; as many as are answered unless told. */
	readonly rate?: number;
}

export interface Outcome {
	/** Requests a second. */
	readonly rate: number;
	readonly p99Ms: number;
}

/** Whether errors are what these requests are meant to get. */
export function expectsErrors(templates: readonly Template[]): boolean {
	return templates.every(({ status }) => status >= 400);
}

export function headersOf({ headers }: Template): Record<string, string> {
	return { Authorization: `Bearer ${apiKey}`, ...headers };
}

/** The template as a request to send; numbers are written with nine digits where their length must not change. */
export function toRequest(
	url: string,
	template: Template,
	number: number,
): Request {
	const { method, path, body } = template;
	const digits =
		template.number === "next"
			? String(number).padStart(9, "0")
			: String(number);
	const fill = (text: string) => text.replaceAll("{number}", digits);
	const headers = Object.entries(headersOf(template)).map(
		([name, value]): [string, string] => [name, fill(value)],
	);
	return new Request(url + fill(path), {
		method,
		headers,
		...(body !== undefined && { body: fill(body) }),
	});
}
