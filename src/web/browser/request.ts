// The request that a form describes, exactly as it is sent.
import { base } from "./base.ts";

export interface SentRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: Pairs;
	readonly body: string | undefined;
	/** Whether it is about the session of the browser, and not sent with a key. */
	readonly isKeyless: boolean;
}

export type Pairs = readonly (readonly [name: string, value: string])[];

export interface ReceivedReply {
	readonly response: Response;
	/** The body as it came; undefined if it is a file and no text. */
	readonly text: string | undefined;
	readonly bytes: number;
	/** The time until the whole reply had arrived. */
	readonly ms: number;
}

export function toRequest(form: HTMLFormElement, key: string): SentRequest {
	const { method = "GET", path = "" } = form.dataset;
	const fields = [...form.querySelectorAll<Field>("[data-place]")];
	const given = (place: string) =>
		fields
			.filter(({ dataset, value }) => dataset.place === place && value !== "")
			.map(({ name, value }) => [name, value] as const);
	const [body] = given("body");
	const isKeyless = "keyless" in form.dataset;
	return {
		method,
		url: toUrl(path, given("path"), given("query")),
		headers: [
			...(key === "" || isKeyless
				? []
				: [["Authorization", `Bearer ${key}`] as const]),
			...(body ? [["Content-Type", "application/json"] as const] : []),
			...given("header"),
		],
		body: body?.[1],
		isKeyless,
	};
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function toUrl(path: string, segments: Pairs, query: Pairs): URL {
	const filled = segments.reduce(
		(text, [name, value]) =>
			text.replace(`{${name}}`, () => encodeURIComponent(value)),
		path,
	);
	// The service takes a plus sign as it is, so a space must not become one.
	const pairs = query.map(
		([name, value]) => `${name}=${encodeURIComponent(value)}`,
	);
	const end = pairs.length > 0 ? `?${pairs.join("&")}` : "";
	return new URL(base + filled + end);
}

/** Undefined if HTTP does not allow a character in one of them. */
export function toHeaders({ headers }: SentRequest): Headers | undefined {
	try {
		return new Headers(headers.map(([name, value]) => [name, value]));
	} catch {
		return undefined;
	}
}

export async function send(
	{ method, url, body, isKeyless }: SentRequest,
	headers: Headers,
): Promise<ReceivedReply> {
	const begun = performance.now();
	const response = await fetch(url, {
		method,
		headers,
		cache: "no-store",
		// A key alone counts, where there is one.
		credentials: isKeyless ? "same-origin" : "omit",
		redirect: "manual",
		...(body !== undefined && { body }),
	});
	const bytes = await response.arrayBuffer();
	return {
		response,
		text: isText(response) ? new TextDecoder().decode(bytes) : undefined,
		bytes: bytes.byteLength,
		ms: performance.now() - begun,
	};
}

function isText({ headers }: Response): boolean {
	const type = headers.get("Content-Type") ?? "text/plain";
	return /^text\/|json/.test(type);
}
