// What a client is created with, what a single call may add, and the checks of both: the compiler finds a missing or unknown option in
// TypeScript only.
import { requireObject } from "./pet.ts";

export interface ClientOptions {
	/** The address of the store, with or without `/v1`. */
	readonly url: string | URL;
	/** The API key. */
	readonly key: string;
	/** Used in place of the global `fetch`. */
	readonly fetch?: Fetch | undefined;
	/** Milliseconds that one attempt may take until its reply has arrived completely. The default is 10,000. */
	readonly timeout?: number | undefined;
	/** How often a failed attempt is repeated. The default is 4. */
	readonly retries?: number | undefined;
	/** Called for every reply with a `Deprecation` header. */
	readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface DeprecationNotice {
	readonly operation: Operation;
	/** Since when the operation is deprecated; undefined if the header has no date. */
	readonly deprecation: Date | undefined;
	/** When the operation may be removed, from the `Sunset` header. */
	readonly sunset: Date | undefined;
}

export type Operation = "listPets" | "createPet" | "getPet";

export interface CallOptions {
	/** Ends the call: it rejects with the signal's reason. */
	readonly signal?: AbortSignal | undefined;
	/** In place of the client's `timeout`. */
	readonly timeout?: number | undefined;
}

/** The options of a client, checked and complete. */
export type Settings = Readonly<ReturnType<typeof toSettings>>;

/** Throws a TypeError that names the wrong option. */
export function toSettings(options: ClientOptions) {
	requireKnown(
		options,
		["url", "key", "fetch", "timeout", "retries", "onDeprecation"],
		"createClient needs an object with url and key.",
	);
	const { key, timeout = 10_000, retries = 4 } = options;
	requireText("key", key);
	requireTimeout(timeout);
	if (typeof retries !== "number" || !(retries >= 0))
		throw new TypeError("retries must be a number from 0.");
	for (const name of ["fetch", "onDeprecation"] as const)
		if (!["function", "undefined"].includes(typeof options[name]))
			throw new TypeError(`${name} must be a function.`);
	return {
		/** Ends in `/v1`. */
		base: toBase(options.url),
		key,
		// The global one is looked up at each call, since tests and tools replace it.
		fetch: options.fetch ?? ((url, init) => fetch(url, init)),
		timeout,
		retries,
		onDeprecation: options.onDeprecation ?? (() => {}),
	};
}

/** For values that are sent in a header. The message does not repeat the value, which may be a secret. */
export function requireText(member: string, value: unknown): void {
	if (typeof value !== "string" || !/^[!-~]+$/.test(value))
		throw new TypeError(
			`${member} must be a string of visible ASCII characters.`,
		);
}

function requireTimeout(timeout: number): void {
	if (typeof timeout !== "number" || !(timeout > 0))
		throw new TypeError("timeout must be a number above 0.");
}

/** Checks the options of a call, which may have further ones beside those of every call. */
export function requireCall(options: CallOptions, ...further: string[]): void {
	requireKnown(options, [...further, "signal", "timeout"]);
	const { signal, timeout } = options;
	// Not by its class, which another window has too.
	if (signal !== undefined && typeof signal?.throwIfAborted !== "function")
		throw new TypeError("signal must be an AbortSignal.");
	if (timeout !== undefined) requireTimeout(timeout);
}

/** Throws a TypeError unless it is an object that has no members but these: a misspelt option must not be left out silently. */
export function requireKnown(
	given: unknown,
	names: readonly string[],
	rule = "options must be an object.",
): void {
	requireObject(given, rule);
	for (const name of Object.keys(given)) {
		if (names.includes(name)) continue;
		const near = names.find((known) => isNear(known, name));
		throw new TypeError(
			`Unknown option ${name}; ${near ? `did you mean ${near}?` : `the known ones are ${names.join(", ")}.`}`,
		);
	}
}

/** Whether it begins like the known name, or contains it, without regard to case. */
function isNear(known: string, name: string): boolean {
	return new RegExp(`^${known.slice(0, 2)}|${known}`, "i").test(name);
}

function toBase(text: string | URL): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol))
		throw new TypeError("url must be an absolute http or https URL.");
	return `${url.origin}${url.pathname.replace(/\/*(\/v1)?\/*$/, "")}/v1`;
}
