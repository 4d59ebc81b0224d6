// A request as the sandbox records it and tests read it.

export interface RecordedRequest {
	readonly method: string;
	/** With the query. */
	readonly path: string;
	/** Names are in lower case. `***` replaces secrets. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	/** Null if the connection was closed without a reply. */
	readonly status: number | null;
	/** Status of the unsent reply, if the connection was closed after the commit; otherwise null. */
	readonly unsentStatus: number | null;
	/** Arrival time in RFC 3339. */
	readonly at: string;
	readonly durationMs: number;
	/** Same as in the log. */
	readonly requestId: string | null;
	/** Null if the request matched no operation. */
	readonly operation: string | null;
	/** The applied fault. */
	readonly fault: Readonly<Record<string, unknown>> | null;
	/** The id or name of its key; null without a valid key or an operation. */
	readonly key: string | null;
}
