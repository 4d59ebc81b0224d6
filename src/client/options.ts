// The options of a client and of a call, with the checks that callers in JavaScript need.

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
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

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
	requireKnown(options, ["url", "key", "fetch", "timeout", "retries"]);
	const { key, timeout = 10_000, retries = 4 } = options;
	requireText("key", key);
	return {
		/** Ends in `/v1`. */
		base: toBase(String(options.url)),
		key,
		// Looks up the global one at each call, since tests and tools replace it.
		fetch: options.fetch ?? ((url, init) => fetch(url, init)),
		timeout,
		retries,
	};
}

/** Throws a TypeError for a member with another name: a misspelt option must not pass silently. */
export function requireKnown(given: object, names: readonly string[]): void {
	for (const name of Object.keys(given))
		if (!names.includes(name))
			throw new TypeError(
				`Unknown option ${name}; the options are ${names.join(", ")}.`,
			);
}

export function requireType(
	member: string,
	value: unknown,
	type: "string" | "bigint",
): void {
	if (typeof value !== type)
		throw new TypeError(`${member} must be a ${type}, not ${typeof value}.`);
}

/** For values in a header. The message leaves the value out: it may be a secret. */
export function requireText(member: string, value: unknown): void {
	if (typeof value !== "string" || !/^[!-~]+$/.test(value))
		throw new TypeError(
			`${member} must be a string of visible ASCII characters.`,
		);
}

function toBase(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol))
		throw new TypeError("url must be an absolute http or https URL.");
	return `${url.origin}${url.pathname.replace(/\/*(\/v1)?\/*$/, "")}/v1`;
}
