// The options of a client and of a call, with the checks that callers in JavaScript need.

export interface ClientOptions {
	/** The address of the store, with or without `/v1`. */
	readonly url: string | URL;
	readonly key: string;
	/** Used instead of the global `fetch`. */
	readonly fetch?: Fetch | undefined;
	/** Milliseconds for one attempt, until its whole reply has arrived; 10,000 if not given. */
	readonly timeout?: number | undefined;
	readonly retry?: Retry | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Retry {
	/** How often a failed request is repeated; 4 if not given. */
	readonly times?: number | undefined;
	/** Milliseconds before the first repetition, doubled for each further one; 200 if not given. */
	readonly delay?: number | undefined;
}

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
	requireKnown(options, ["url", "key", "fetch", "timeout", "retry"]);
	const { url, key, timeout = 10_000, retry = {} } = options;
	requireKnown(retry, ["times", "delay"]);
	const { times = 4, delay = 200 } = retry;
	requireText("key", key);
	requireNumbers({ timeout, times, delay });
	return {
		/** Ends in `/v1`. */
		base: toBase(String(url)),
		key,
		// Looks up the global one at each call, since tests and tools replace it.
		fetch: options.fetch ?? ((url, init) => fetch(url, init)),
		timeout,
		times,
		delay,
	};
}

/** A misspelt option must not pass silently. */
export function requireKnown(given: object, names: readonly string[]): void {
	for (const name of Object.keys(given))
		if (!names.includes(name))
			throw new TypeError(
				`Unknown option ${name}; the options are ${names.join(", ")}.`,
			);
}

export function requireType(name: string, value: unknown, type: string): void {
	if (typeof value !== type)
		throw new TypeError(`${name} must be a ${type}, not ${typeof value}.`);
}

export function requireNumbers(given: Readonly<Record<string, number>>): void {
	for (const [name, value] of Object.entries(given))
		if (!(value >= 0)) throw new TypeError(`${name} must be a number from 0.`);
}

/** For values in a header. The message leaves the value out: it may be a secret. */
export function requireText(name: string, value: unknown): void {
	if (typeof value !== "string" || !/^[!-~]+$/.test(value))
		throw new TypeError(
			`${name} must be a string of visible ASCII characters.`,
		);
}

function toBase(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol))
		throw new TypeError("url must be an absolute http or https URL.");
	return `${url.origin}${url.pathname.replace(/\/*(\/v1)?\/*$/, "")}/v1`;
}
