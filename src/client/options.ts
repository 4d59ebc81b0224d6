// What a client is created with, what a single call may add, and the checks of both.
import { requireKnown } from "./known.ts";

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
export interface Settings {
	/** Ends in `/v1`. */
	readonly base: string;
	readonly key: string;
	readonly fetch: Fetch;
	readonly timeout: number;
	readonly retries: number;
	readonly onDeprecation: (notice: DeprecationNotice) => void;
}

/** Throws a TypeError that names the wrong option. */
export function toSettings(options: ClientOptions): Settings {
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

function toBase(url: string | URL): string {
	const { protocol, origin, pathname } = URL.canParse(url)
		? new URL(url)
		: noUrl;
	if (!/^https?:$/.test(protocol))
		throw new TypeError("url must be an absolute http or https URL.");
	return `${origin}${pathname.replace(/\/*(\/v1)?\/*$/, "")}/v1`;
}

const noUrl = { protocol: "", origin: "", pathname: "" };
