// The error of a call that failed: the store refused it, could not be reached, or sent what is no valid reply.

export class PetstoreError extends Error {
	/**
	 * The code of the store, such as `not_found`; or a code of the client: `network`, `timeout`, `http_error` for an error reply
	 * without an Error body, `invalid_reply` for any other reply that is not as the interface has it.
	 */
	readonly code: string;
	/** The HTTP status; undefined if there was no reply. */
	readonly status: number | undefined;
	/** The `X-Request-Id` of the reply, if it has one. */
	readonly requestId: string | undefined;

	static {
		// The build shortens the name of the class, which Node.js prints.
		Object.defineProperty(PetstoreError, "name", { value: "PetstoreError" });
	}

	constructor(
		code: string,
		message: string,
		details: Partial<
			Pick<PetstoreError, "status" | "requestId" | "cause">
		> = {},
	) {
		const { status, requestId, cause } = details;
		super(message, cause === undefined ? {} : { cause });
		this.name = "PetstoreError";
		this.code = code;
		this.status = status;
		this.requestId = requestId;
	}
}
