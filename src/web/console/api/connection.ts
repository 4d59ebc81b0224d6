// Knows whether the service answers and whether somebody is signed in. Reads wait for both.
import { signal } from "@preact/signals";

type SessionState =
	| { readonly kind: "unknown" }
	| { readonly kind: "signed out"; readonly reason: string | undefined }
	| {
			readonly kind: "signed in";
			/** The name of the key, or of the person that the link is for; undefined without one. */
			readonly person: string | undefined;
			/** Of the key; undefined if it is not stored. */
			readonly keyId: number | undefined;
			readonly since: number;
	  }
	/** The session ended while somebody was working. The page keeps the input. */
	| { readonly kind: "ended" };

export type Connection = ReturnType<typeof createConnection>;

export function createConnection() {
	const session = signal<SessionState>({ kind: "unknown" });
	let retrying = new AbortController();
	return {
		session,
		/** The error of the last request without an answer; undefined while the service answers. */
		trouble: signal<unknown>(undefined),
		/** Called when the service refuses a request. A request from before the last sign-in does not end the session. */
		endSession(sentAt: number): void {
			const current = session.peek();
			if (current.kind === "signed in" && sentAt >= current.since)
				session.value = { kind: "ended" };
		},
		/** Resolves after this time, or when `retry` is called. Rejects when the signal is aborted. */
		async wait(ms: number, ending?: AbortSignal): Promise<void> {
			const over = AbortSignal.any([
				...(ms === Infinity ? [] : [AbortSignal.timeout(ms)]),
				...(ending === undefined ? [] : [ending]),
				retrying.signal,
			]);
			if (!over.aborted)
				await new Promise((resolve) => over.addEventListener("abort", resolve));
			ending?.throwIfAborted();
		},
		/** Ends all waits at once. */
		retry(): void {
			retrying.abort();
			retrying = new AbortController();
		},
	};
}
