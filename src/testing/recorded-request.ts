// A request as the sandbox has recorded it. The sandbox writes it, and tests read it.

export interface RecordedRequest {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	/** Names in lower case. `authorization` has no key. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	/** Null if the connection was cut in place of a reply. */
	readonly status: number | null;
	/** Of the reply that was not sent, if the request was done and the connection then cut; otherwise null. */
	readonly unsentStatus: number | null;
	/** When it arrived, by RFC 3339. */
	readonly at: string;
	readonly durationMs: number;
	/** As in the log. */
	readonly requestId: string | null;
	/** Null if it was for no operation. */
	readonly operation: string | null;
	/** The fault that it met. */
	readonly fault: Readonly<Record<string, unknown>> | null;
	/** The id or the name of its key; null without a valid key, or if it was for no operation. */
	readonly key: string | null;
}
