// The options of a client and of a call, with checks for callers in JavaScript.
import { requireObject } from "./pet.ts";

export interface ClientOptions {
	/** The address of the store, with or without `/v1`. */
	readonly url: string | URL;
	/** The API key. */
	readonly key: string;
	/** Used instead of the global `fetch`. */
	readonly fetch?: Fetch | undefined;
	/** Milliseconds for one attempt, until its whole reply has arrived. The default is 10,000. */
	readonly timeout?: number | undefined;
	/** How often a failed request is retried. The default is 4. */
	readonly retries?: number | undefined;
	/** Called for every reply with a `Deprecation` header. */
	readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface DeprecationNotice {
	readonly operation: Operation;
	/** The date of the deprecation; undefined if the header has none. */
	readonly deprecation: Date | undefined;
	/** When the operation may be removed, from the `Sunset` header. */
	readonly sunset: Date | undefined;
}

export type Operation = "listPets" | "createPet" | "getPet";

export interface CallOptions {
	/** Cancels the call, which rejects with the signal's reason. */
	readonly signal?: AbortSignal | undefined;
	/** Overrides the client's `timeout`. */
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
		base: toBase(String(options.url)),
		key,
		// Looks up the global one at each call, since tests and tools replace it.
		fetch: options.fetch ?? ((url, init) => fetch(url, init)),
		timeout,
		retries,
		onDeprecation: options.onDeprecation ?? (() => {}),
	};
}

/** For values in a header. The message leaves the value out: it may be a secret. */
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

/** Checks the options of a call; `further` names the ones that not every call has. */
export function requireCall(options: CallOptions, ...further: string[]): void {
	requireKnown(options, [...further, "signal", "timeout"]);
	const { signal, timeout } = options;
	// Not `instanceof`: another window has another class.
	if (signal !== undefined && typeof signal?.throwIfAborted !== "function")
		throw new TypeError("signal must be an AbortSignal.");
	if (timeout !== undefined) requireTimeout(timeout);
}

/** Throws a TypeError for anything but an object with these members: a misspelt option must not pass silently. */
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

/** Whether it starts with the same two letters, or contains the known name, ignoring case. */
function isNear(known: string, name: string): boolean {
	return new RegExp(`^${known.slice(0, 2)}|${known}`, "i").test(name);
}

function toBase(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol))
		throw new TypeError("url must be an absolute http or https URL.");
	return `${url.origin}${url.pathname.replace(/\/*(\/v1)?\/*$/, "")}/v1`;
}
