// A load on a server: which requests, on how many connections and for how long. And the outcome of a load.
import { apiKey, type Template } from "../plan/trials.ts";

export interface Load {
	/** Includes the base path. */
	readonly url: string;
	readonly templates: readonly Template[];
	/** Random ids are from 1 to this. */
	readonly animals: number;
	/** The numbers that are used once start after this one. */
	readonly firstNumber: number;
	readonly connections: number;
	readonly seconds: number;
	/** Requests a second. Without it, each connection sends its next request when it has the reply to the last. */
	readonly rate?: number;
}

export interface Outcome {
	/** Requests a second. */
	readonly rate: number;
	readonly p99Ms: number;
}

/** Whether an error is the correct reply to these requests. */
export function expectsErrors(templates: readonly Template[]): boolean {
	return templates.every(({ status }) => status >= 400);
}

export function headersOf({ headers }: Template): Record<string, string> {
	return { Authorization: `Bearer ${apiKey}`, ...headers };
}

/** Numbers that are used once have nine digits, so that all requests of a template have the same length. */
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
