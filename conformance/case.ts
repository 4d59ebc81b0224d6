// A conformance case as data: requests and expected replies. It knows nothing of the tested service.

export interface Case {
	/** The expected behaviour, for readers who do not know the source. */
	readonly name: string;
	readonly rule: Rule;
	readonly steps: readonly Step[];
}

/** What a case checks. Several cases may check the same rule. */
export interface Rule {
	/** Of the interface document, like "4.1". */
	readonly section: string;
	/** A sentence or a table row of that section, or the row of docs/decisions.md that adds to it. */
	readonly text: string;
	readonly isAddition: boolean;
}

type ToCase = (name: string, ...steps: readonly Step[]) => Case;

/** Makes the cases of a rule of the interface document. */
export function contract(section: string, text: string): ToCase {
	return toCases({ section, text, isAddition: false });
}

/** Makes the cases of a rule that we added to the document. */
export function addition(section: string, text: string): ToCase {
	return toCases({ section, text, isAddition: true });
}

function toCases(rule: Rule): ToCase {
	return (name, ...steps) => ({ rule, name, steps });
}

export interface Step {
	readonly request: CaseRequest;
	readonly expect: Expectation;
	/** Keeps the reply under this name for later steps. */
	readonly save?: string;
}

/**
 * In `path` and `headers`, `{rex.id}` is replaced by the id in the reply that was saved as `rex`. `etag`, `location` and `next` (the
 * address of the next page) work the same way. `{unique}` is replaced by a text that differs in each run of the case.
 */
export interface CaseRequest {
	readonly method?: string;
	/** Relative to the base address, so without `/v1`. With `^` in front it is relative to the root of the server. */
	readonly path: string;
	/** The key to send, or the whole Authorization header, with `%` for the valid key. */
	readonly key?: "valid" | "none" | { readonly authorization: string };
	readonly headers?: Readonly<Record<string, string>>;
	/** Text, or bytes in hexadecimal. */
	readonly body?: string | { readonly hex: string };
}

export interface Expectation {
	readonly status: number;
	/** The body is an Error with this code, or with any code if true. */
	readonly error?: string | true;
	/** The body is an Error with a message like this. */
	readonly message?: RegExp;
	/** The body is a Pet with these members. Numbers are given by their digits. */
	readonly pet?: Readonly<Record<string, string>>;
	/** The body is an array of Pet. */
	readonly pets?: PetsExpectation;
	/** The body equals that of the reply that was saved under this name. */
	readonly sameAs?: string;
	/** The body is empty. */
	readonly empty?: true;
	/** The body as text. */
	readonly text?: RegExp;
	/** Values of headers; null for a header that must be absent. */
	readonly headers?: Readonly<Record<string, string | RegExp | null>>;
	/** Another reply that is as right. */
	readonly or?: Expectation;
}

export interface PetsExpectation {
	readonly atMost?: number;
	readonly exactly?: number;
	/** All of them have this status. */
	readonly status?: string;
	/** The ids at the start of the list. */
	readonly first?: readonly string[];
	/** The list has these ids. */
	readonly has?: readonly string[];
	/** A list of this length may lack the ids of `has`: the document promises no order, so they may be on a later page. */
	readonly fullAt?: number;
	/** The list does not have these ids. */
	readonly lacks?: readonly string[];
}

/** From the document: the list of the service may be wrong. */
export const statuses = ["available", "pending", "sold"];

/** The largest id, which no store has assigned yet. */
export const missingPet = "/pets/9223372036854775807";

export const newPet = '{"name":"Rex","categoryId":1}';

export function get(path: string, headers: Record<string, string> = {}) {
	return { path, headers };
}

export function add(body: CaseRequest["body"] = newPet, headers = {}) {
	return {
		method: "POST",
		path: "/pets",
		headers: { "Content-Type": "application/json", ...headers },
		body: body ?? "",
	};
}

export function withoutKey(request: CaseRequest): CaseRequest {
	return { ...request, key: "none" };
}

/** The bytes of a body. */
export function hex(text: string): string {
	return Buffer.from(text).toString("hex");
}

export function step(
	request: CaseRequest,
	expect: Expectation,
	save?: string,
): Step {
	return { request, expect, ...(save !== undefined && { save }) };
}

/** Adds an animal and saves the reply for later steps. */
export function given(name: string, body = newPet): Step {
	return step(add(body), { status: 201 }, name);
}

/** Reads a path and expects a 200 like this. */
export function reads(
	path: string,
	expected: Omit<Expectation, "status">,
	save?: string,
): Step {
	return step(get(path), { status: 200, ...expected }, save);
}

/** An Error with a code of the additions, which give each one status. */
export function refusal(
	code: keyof typeof statusOfCode,
	message?: RegExp,
): Expectation {
	const status = statusOfCode[code];
	return { status, error: code, ...(message && { message }) };
}

const statusOfCode = {
	invalid_body: 400,
	invalid_parameter: 400,
	unauthenticated: 401,
	not_found: 404,
	method_not_allowed: 405,
	payload_too_large: 413,
	unsupported_media_type: 415,
	idempotency_mismatch: 422,
};
