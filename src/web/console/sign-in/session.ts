// Signs in and out, and checks whether somebody is signed in.
import type { Api } from "../api/api.ts";
import type { Connection } from "../api/connection.ts";
import { toMessage } from "../api/error.ts";
import { flag, number, object, optional, text } from "../api/values.ts";

/** How often the console checks its session, so that it notices a revoked key without a click. */
export const sessionCheckMs = 15_000;

const toCurrent = object({
	signedIn: flag,
	/** The key of the session; undefined after a one-time link. */
	key: optional(object({ id: optional(number), name: optional(text) })),
	/** The person that the link is for. */
	name: optional(text),
});

export function createSession(
	{ session: state, endSession, retry }: Connection,
	{ read, send }: Api,
) {
	const readCurrent = async () => toCurrent(await read("/sessions/current"));
	const enter = ({ key, name }: ReturnType<typeof toCurrent>) => {
		const since = performance.now();
		const person = key?.name ?? name;
		state.value = { kind: "signed in", person, keyId: key?.id, since };
		retry();
	};

	/** Uses the link, if any, and finds out whether the browser has a session. A user without one sees the reason. */
	async function begin(link?: string, reason?: string): Promise<void> {
		const refusal =
			link &&
			(await send("POST", "/sessions", { body: { link } })
				.then(() => undefined)
				.catch(toMessage));
		const current = await readCurrent();
		if (current.signedIn && refusal === undefined) enter(current);
		else state.value = { kind: "signed out", reason: refusal ?? reason };
	}

	return {
		state,
		begin,
		async signIn(key: string): Promise<void> {
			await send("POST", "/sessions", { body: { key } });
			await begin();
		},
		async signOut(): Promise<void> {
			await send("DELETE", "/sessions/current");
			state.value = { kind: "signed out", reason: undefined };
		},
		/** Notices the end of the session, and a new session from another tab. */
		async check(): Promise<void> {
			const sentAt = performance.now();
			const current = await readCurrent();
			if (!current.signedIn) endSession(sentAt);
			else if (state.peek().kind === "ended") enter(current);
		},
	};
}
