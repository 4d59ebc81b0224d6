// Whether somebody is signed in.
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Api } from "../api/api.ts";
import { toMessage } from "../api/error.ts";
import { until } from "../api/outage.ts";
import { flag, object, optional, text } from "../api/values.ts";

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

/** How often the console asks whether it is still signed in, so that it notices a revoked key without a click. */
export const sessionCheckMs = 15_000;

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
	return until(ending, (end) =>
		// The first call is at once, when nobody is signed in yet.
		state.subscribe(({ kind }) => {
			if (kind === "signed in") queueMicrotask(end);
		}),
	);
}

const toCurrent = object({
	signedIn: flag,
	/** The key that the session belongs to; undefined for a session from a one-time link. */
	key: optional(object({ name: optional(text) })),
});

export type Session = ReturnType<typeof createSession>;

export function createSession(
	state: Signal<SessionState>,
	{ read, send }: Api,
) {
	const readCurrent = async () => toCurrent(await read("/sessions/current"));
	const signIn = (by: { key: string } | { link: string }) =>
		send("POST", "/sessions", { body: by });
	const toSignedIn = (key: { name: string | undefined } | undefined) => ({
		kind: "signed in" as const,
		keyName: key?.name,
		since: performance.now(),
	});

	/** Finds out whether the browser has a session. A link from the address bar is used first. The reason is shown if there is none. */
	async function begin(link?: string, reason?: string): Promise<void> {
		const refusal = link === undefined ? undefined : await follow(link);
		const { signedIn, key } = await readCurrent();
		state.value =
			signedIn && refusal === undefined
				? toSignedIn(key)
				: { kind: "signed out", reason: refusal ?? reason };
	}

	/** Returns why the link was refused. */
	async function follow(link: string): Promise<string | undefined> {
		try {
			await signIn({ link });
			return undefined;
		} catch (error) {
			return toMessage(error);
		}
	}

	return {
		state,
		begin,
		async signIn(key: string): Promise<void> {
			await signIn({ key });
			await begin();
		},
		async signOut(): Promise<void> {
			await send("DELETE", "/sessions/current");
			state.value = { kind: "signed out", reason: undefined };
		},
		/** Notices a session that has ended without a request of the user. */
		async check(): Promise<void> {
			const sentAt = performance.now();
			const { signedIn } = await readCurrent();
			if (!signedIn) endSession(state, sentAt);
		},
		/** Notices that somebody has signed in in another tab since the session ended. */
		async checkAgain(): Promise<void> {
			const { signedIn, key } = await readCurrent();
			if (signedIn && state.peek().kind === "ended")
				state.value = toSignedIn(key);
		},
	};
}
