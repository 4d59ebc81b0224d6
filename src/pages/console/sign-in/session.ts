// Whether somebody is signed in.
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { toMessage } from "../api/error.ts";
import type { Sessions } from "../api/sessions.ts";

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

export interface Session {
	readonly state: ReadonlySignal<SessionState>;
	/** Finds out whether the browser has a session. A link from the address bar is used first. The reason is shown if there is none. */
	readonly begin: (link?: string, reason?: string) => Promise<void>;
	readonly signIn: (key: string) => Promise<void>;
	readonly signOut: () => Promise<void>;
	/** Notices a session that has ended without a request of the user. */
	readonly check: () => Promise<void>;
	/** Notices that somebody has signed in in another tab since the session ended. */
	readonly checkAgain: () => Promise<void>;
}

export function createSessionState(): Signal<SessionState> {
	return signal<SessionState>({ kind: "unknown" });
}

/** Called when a request was refused. One that was sent before the last sign-in says nothing about the session. */
export function endSession(state: Signal<SessionState>, sentAt: number): void {
	const current = state.peek();
	if (current.kind === "signed in" && sentAt >= current.since)
		state.value = { kind: "ended" };
}

/** Resolves when somebody is signed in. Rejects when the signal is aborted. */
export function untilSignedIn(
	state: ReadonlySignal<SessionState>,
	ending?: AbortSignal,
): Promise<void> {
	return new Promise((resolve, reject) => {
		const end = () => {
			stop();
			ending?.removeEventListener("abort", end);
			if (ending?.aborted) reject(ending.reason);
			else resolve();
		};
		// The first call is at once, when nobody is signed in yet.
		const stop = state.subscribe(({ kind }) => {
			if (kind === "signed in") queueMicrotask(end);
		});
		ending?.addEventListener("abort", end);
	});
}

export function createSession(
	state: Signal<SessionState>,
	sessions: Sessions,
): Session {
	async function begin(link?: string, reason?: string): Promise<void> {
		const refusal = link === undefined ? undefined : await follow(link);
		const { isSignedIn, keyName } = await sessions.current();
		state.value =
			isSignedIn && refusal === undefined
				? { kind: "signed in", keyName, since: performance.now() }
				: { kind: "signed out", reason: refusal ?? reason };
	}

	/** Returns why the link was refused. */
	async function follow(link: string): Promise<string | undefined> {
		try {
			await sessions.signIn({ link });
			return undefined;
		} catch (error) {
			return toMessage(error);
		}
	}

	return {
		state,
		begin,
		async signIn(key) {
			await sessions.signIn({ key });
			await begin();
		},
		async signOut() {
			await sessions.signOut();
			state.value = { kind: "signed out", reason: undefined };
		},
		async check() {
			const sentAt = performance.now();
			const { isSignedIn } = await sessions.current();
			if (!isSignedIn) endSession(state, sentAt);
		},
		async checkAgain() {
			const { isSignedIn, keyName } = await sessions.current();
			if (isSignedIn && state.peek().kind === "ended")
				state.value = { kind: "signed in", keyName, since: performance.now() };
		},
	};
}
