// Signing in and out.
import type { Api } from "./api.ts";
import { toMembers } from "./values.ts";

export interface CurrentSession {
	readonly isSignedIn: boolean;
	/** The name of the key that the session belongs to; undefined for a session from a one-time link. */
	readonly keyName: string | undefined;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ read, send }: Api) {
	return {
		async current(): Promise<CurrentSession> {
			const { signedIn, key } = toMembers(
				(await read("/sessions/current")).body,
			);
			const { name } = toMembers(key ?? {});
			const keyName = typeof name === "string" ? name : undefined;
			return { isSignedIn: signedIn === true, keyName };
		},
		async signIn(by: { key: string } | { link: string }): Promise<void> {
			await send("POST", "/sessions", { body: by });
		},
		async signOut(): Promise<void> {
			await send("DELETE", "/sessions/current");
		},
	};
}
