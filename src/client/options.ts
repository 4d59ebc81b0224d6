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
	/** Called for each reply with a `Deprecation` header, whatever its form. */
	readonly onDeprecation?:
		| ((headers: Headers, url: string) => void)
		| undefined;
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

export const callOptions = ["signal", "timeout"];

/** The options of a client, checked and complete. */
export type Settings = Readonly<ReturnType<typeof toSettings>>;

export function toSettings(options: ClientOptions) {
	requireKnown(options, known);
	const { key, timeout = 10_000, retry = {}, onDeprecation } = options;
	requireKnown(retry, ["times", "delay"], "retry");
	const { times = 4, delay = 200 } = retry;
	const { url } = options;
	check("url", /^https?:\/\/./i.test(`${url}`), "an http or https URL");
	const { origin, pathname } = new URL(url);
	checkText("key", key);
	check("timeout", timeout >= 0, "a number from 0");
	check("times", times >= 0, "a number from 0");
	check("delay", delay >= 0, "a number from 0");
	return {
		/** Ends in `/v1`. */
		base: `${origin}${pathname.replace(/\/*(\/v1)?\/*$/, "")}/v1`,
		key,
		// Looks up the global one at each call, since tests and tools replace it.
		fetch: options.fetch ?? ((url, init) => fetch(url, init)),
		timeout,
		times,
		delay,
		onDeprecation,
	};
}

const known = ["url", "key", "fetch", "timeout", "retry", "onDeprecation"];

export function check(name: string, isRight: boolean, rule: string): void {
	if (!isRight) throw new TypeError(`${name} must be ${rule}.`);
}

/** For values in a header. */
export function checkText(name: string, value: string): void {
	const isRight = typeof value === "string" && /^[!-~]+$/.test(value);
	check(name, isRight, "a string of visible ASCII characters");
}

/** A misspelt option must not pass silently. */
export function requireKnown(
	given: object,
	names: readonly string[],
	/** The option that has them. */
	of?: string,
): void {
	check(of ?? "the options", Object(given) === given, "an object");
	for (const name of Object.keys(given))
		if (!names.includes(name))
			throw new TypeError(
				`Unknown option ${name}${of ? ` of ${of}` : ""}; the options are ${names.join(", ")}.`,
			);
}
