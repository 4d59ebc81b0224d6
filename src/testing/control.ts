// What a test does with its store beside the interface: sets it back, makes it fail, and reads what was sent to it.
import { request } from "node:http";
import { text as readText } from "node:stream/consumers";
import { type Operation, PetstoreError } from "../client/client.ts";
import { requireKnown } from "../client/options.ts";
import type { DemoStart } from "./process.ts";

export type Control = ReturnType<typeof createControl>;

/** Has `delay`, `status` or `drop`, or `delay` with one of the other two. */
export interface FaultRule {
	/** Any operation if not given. */
	readonly operation?: Operation | undefined;
	/** How many requests it is for; 1 if not given. */
	readonly times?: number | "always" | undefined;
	/** How many milliseconds the request waits first, up to 60,000. */
	readonly delay?: number | undefined;
	/** An error that the operation can answer. The request is not done. */
	readonly status?: number | undefined;
	/** The connection is cut: with `before` the request is not done, with `after-commit` it is. */
	readonly drop?: "before" | "after-commit" | undefined;
}

export interface RecordedRequest {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	/** Names in lower case. `authorization` has no key. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	/** Null if the connection was cut in place of a reply. */
	readonly status: number | null;
}

export function createControl(url: string) {
	async function call(
		method: string,
		path: string,
		body?: object,
	): Promise<string> {
		const { status = 0, text } = await send(
			`${url}/sandbox/${path}`,
			method,
			body === undefined ? "" : JSON.stringify(body),
		);
		if (status < 300) return text;
		const { code, message } = JSON.parse(text);
		throw new PetstoreError(code, message, { status });
	}

	return {
		/** Back to the animals of the start, or to others, with ids from 1. Idempotency-Keys, fault rules and recorded requests are removed. */
		async reset(start?: DemoStart): Promise<void> {
			if (start !== undefined) requireKnown(start, ["pets", "seed"]);
			await call("POST", "reset", start);
		},
		/** Replaces all fault rules. */
		async faults(rules: readonly FaultRule[]): Promise<void> {
			await call("PUT", "faults", rules);
		},
		/** The last 1,000 requests that were answered since the last reset, oldest first. */
		async requests(): Promise<readonly RecordedRequest[]> {
			return JSON.parse(await call("GET", "requests"));
		},
	};
}

/** Without `fetch`, which tests replace, and which Node.js takes tens of milliseconds to load. */
function send(
	url: string,
	method: string,
	body: string,
): Promise<{ status: number | undefined; text: string }> {
	return new Promise((resolve, reject) => {
		request(url, { method }, (reply) => {
			const status = reply.statusCode;
			readText(reply).then((text) => resolve({ status, text }), reject);
		})
			.once("error", (cause) => reject(toNetworkError(cause)))
			.end(body);
	});
}

function toNetworkError(cause: Error): PetstoreError {
	return new PetstoreError(
		"network",
		"The pet store of this test does not answer: it was stopped, or its process has ended.",
		{ cause },
	);
}
