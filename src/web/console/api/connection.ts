// Whether the service answers, and whether somebody is signed in. Reads wait while either is not so.
import { signal } from "@preact/signals";

export type SessionState =
	| { readonly kind: "unknown" }
	| { readonly kind: "signed out"; readonly reason: string | undefined }
	| {
			readonly kind: "signed in";
			readonly keyName: string | undefined;
			readonly since: number;
	  }
	/** It has ended while somebody was working. What was typed is still there. */
	| { readonly kind: "ended" };

export type Connection = ReturnType<typeof createConnection>;

export function createConnection() {
	const session = signal<SessionState>({ kind: "unknown" });
	let retrying = new AbortController();
	return {
		session,
		/** Why the last request got no answer; undefined while the service answers. */
		trouble: signal<unknown>(undefined),
		/** Called when a request was refused. One that was sent before the last sign-in says nothing about the session. */
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
		/** Makes everything that waits try at once. */
		retry(): void {
			retrying.abort();
			retrying = new AbortController();
		},
	};
}
