// A request as the sandbox records it and tests read it.

export interface RecordedRequest {
	readonly method: string;
	/** With the query. */
	readonly path: string;
	/** Names are in lower case. `***` replaces secrets. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	/** Null if none was sent: the connection was cut, or the client gave up. */
	readonly status: number | null;
	/** Of the reply that was not sent after the commit, else null. */
	readonly unsentStatus: number | null;
	readonly at: string;
	readonly durationMs: number;
	readonly requestId: string | null;
	/** Null if the request matched no operation. */
	readonly operation: string | null;
	readonly fault: Readonly<Record<string, unknown>> | null;
	/** Null without a valid key or an operation. */
	readonly key: string | null;
}
