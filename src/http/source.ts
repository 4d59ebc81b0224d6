// Where a request comes from, and what can be done with its connection.
import type { Awaitable } from "../async/awaitable.ts";

/** The listener; `noSocket` without one. */
export interface Source {
	/** Where to call the listener from this machine. */
	readonly url: () => string;
	/** Of the path as it was sent, like `Match.firstSegment`; undefined if unknown. */
	readonly firstSegment: string | undefined;
	/** The address of the client, for the log. */
	readonly clientOf: (request: Request) => string | undefined;
	/** Whether a reply is the last on its connection. Bun closes the connection then. */
	readonly isClosing: () => boolean;
	/** Keeps the connection open although no byte is sent or received for this long. */
	readonly allowIdle: (request: Request, ms: number) => void;
	/** Returns a Response that closes the connection without a byte. */
	readonly cut: (request: Request) => Awaitable<Response>;
}

export const noSocket: Source = {
	url: () => "http://127.0.0.1:8080",
	firstSegment: undefined,
	clientOf: () => undefined,
	isClosing: () => false,
	allowIdle() {},
	cut: () => Response.error(),
};
