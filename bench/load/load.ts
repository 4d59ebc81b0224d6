// A load on a server: which requests, on how many connections and for how long. And the outcome of a load.
import type { Template } from "../plan/trials.ts";

export interface Load {
	/** Includes the base path. */
	readonly url: string;
	readonly templates: readonly Template[];
	/** The requests use them in turn. */
	readonly keys: readonly string[];
	/** Random ids are from 1 to this. */
	readonly animals: number;
	/** Unique numbers start after this one. */
	readonly firstNumber: number;
	readonly connections: number;
	readonly seconds: number;
	/** The mean pause of a connection between a reply and its next request; none if not given. Only wrk can pause. */
	readonly pauseMs?: number;
}

export interface Outcome {
	/** How many requests were answered. */
	readonly requests: number;
	readonly seconds: number;
	readonly p99Ms: number;
	/** The processor time that the load generator used, as a share of its core. */
	readonly generatorShare: number;
}

/** Whether an error is the correct reply to these requests. */
export function expectsErrors(templates: readonly Template[]): boolean {
	return templates.every(({ status }) => status >= 400);
}

export function headersOf(
	{ headers }: Template,
	key: string,
): Record<string, string> {
	return { Authorization: `Bearer ${key}`, ...headers };
}

/** The templates with the keys in turn, until the same template gets the same key again. */
export function withKeys({
	templates,
	keys,
}: Pick<Load, "templates" | "keys">): readonly KeyedTemplate[] {
	const pairs: KeyedTemplate[] = [];
	do {
		const template = templates[pairs.length % templates.length];
		const key = keys[pairs.length % keys.length];
		if (template === undefined || key === undefined) break;
		pairs.push({ template, key });
	} while (
		pairs.length % templates.length > 0 ||
		pairs.length % keys.length > 0
	);
	return pairs;
}

export interface KeyedTemplate {
	readonly template: Template;
	readonly key: string;
}

/** Numbers have nine digits, except our random ids: all requests of a template have the same length. */
export function toRequest(
	url: string,
	{ template, key }: KeyedTemplate,
	number: number,
): Request {
	const { method, path, body } = template;
	const digits =
		template.number === "random"
			? String(number)
			: String(number).padStart(9, "0");
	const fill = (text: string) => text.replaceAll("{number}", digits);
	const headers = Object.entries(headersOf(template, key)).map(
		([name, value]): [string, string] => [name, fill(value)],
	);
	return new Request(url + fill(path), {
		method,
		headers,
		...(body !== undefined && { body: fill(body) }),
	});
}
