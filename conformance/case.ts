// A conformance case: requests and what must come back, as data. It knows nothing of the service that it judges.

export interface Case {
	/** A behaviour, in the words of the document. */
	readonly name: string;
	/** The section of the interface document, like "4.1". */
	readonly section: string;
	/** The row of docs/decisions.md, where the document alone does not promise it. */
	readonly addition?: string;
	readonly steps: readonly Step[];
}

export interface Step {
	readonly request: CaseRequest;
	readonly expect: Expectation;
	/** Keeps the reply under this name for later steps. */
	readonly save?: string;
}

/** In path and headers `{rex.id}` stands for something of a reply that was saved as `rex`: id, etag, location, next. */
export interface CaseRequest {
	readonly method?: string;
	/** Below the base address, so without `/v1`; one that begins with `^` is at the root of the server. */
	readonly path: string;
	/** Which key to send; a text is sent as it is, with `%` for the valid key. */
	readonly key?: "valid" | "read" | "none" | { readonly authorization: string };
	readonly headers?: Readonly<Record<string, string>>;
	/** JSON text or other text; bytes in hexadecimal. */
	readonly body?: string | { readonly hex: string };
}

export interface Expectation {
	readonly status: number;
	/** The body is an Error: with this code, or with any. */
	readonly error?: string | true;
	/** The Error's message, which names the field. */
	readonly message?: RegExp;
	/** The body is a Pet with these members; numbers are given by their digits. */
	readonly pet?: PetExpectation;
	/** The body is an array of Pet. */
	readonly pets?: PetsExpectation;
	/** The body is the one that was saved under this name. */
	readonly sameAs?: string;
	/** The body is empty. */
	readonly empty?: true;
	/** The text of the body. */
	readonly text?: RegExp;
	/** Header values; null for one that must not be there. */
	readonly headers?: Readonly<Record<string, string | RegExp | null>>;
}

export interface PetExpectation {
	readonly id?: string;
	readonly name?: string;
	readonly categoryId?: string;
	readonly status?: string;
}

export interface PetsExpectation {
	readonly atMost?: number;
	readonly exactly?: number;
	/** All of them have this status. */
	readonly status?: string;
	/** The ids at the head of the list, which may be placeholders. */
	readonly first?: readonly string[];
	/** These ids are in it, or not. In an order that is not ours, a list that is full may end before them. */
	readonly has?: readonly string[];
	readonly fullAt?: number;
	readonly lacks?: readonly string[];
}

/** No store has come this far. */
export const noPet = "/pets/9223372036854775807";

export const newPet = '{"name":"Rex","categoryId":1}';

export function get(path: string, headers?: Record<string, string>) {
	return { path, ...(headers && { headers }) };
}

export function add(body: CaseRequest["body"] = newPet, headers = {}) {
	return {
		method: "POST",
		path: "/pets",
		headers: { "Content-Type": "application/json", ...headers },
		body: body ?? "",
	};
}

/** An animal to work with in later steps. */
export function given(name: string, body = newPet): Step {
	return { request: add(body), expect: { status: 201 }, save: name };
}

/** A case of one step. */
export function one(
	about: Omit<Case, "steps">,
	request: CaseRequest,
	expect: Expectation,
): Case {
	return { ...about, steps: [{ request, expect }] };
}
