// Whether somebody is signed in. The session itself is a cookie that scripts cannot read.

import { ApiError, access, get, send, toMessage } from "../ui/api.ts";
import { reload } from "../ui/resource.tsx";
import { signal } from "../ui/state.ts";
import { linkToken } from "./route.ts";

interface Session {
	/** `ended` while somebody was working: the page keeps what was typed. */
	readonly kind: "unknown" | "signed out" | "signed in" | "ended";
	/** The name of the key, or of the person whom the link is for. */
	readonly person?: string | undefined;
	/** Undefined after a link, and for a key that is not stored. */
	readonly keyId?: bigint | undefined;
	/** Why nobody is signed in. */
	readonly reason?: string | undefined;
}

export const session = signal<Session>({ kind: "unknown" });
let link = linkToken;
let reason: string | undefined;

access.prefix = "/operator/v1";
access.toError = (error, path) => {
	// A refused sign-in ends no session.
	if (error.code !== "unauthenticated" || path.startsWith("/sessions"))
		return error;
	end();
	// The message of the service is for programs: it names headers.
	return new ApiError("session_ended", "Your session has ended.");
};

function end(): void {
	if (session.value.kind === "signed in") session.value = { kind: "ended" };
}

/** Finds out whether the browser has a session: it may come from another tab, or have ended. */
export async function checkSession(): Promise<void> {
	if (link !== undefined) {
		const body = { link };
		link = undefined;
		reason = await send("POST", "/sessions", { body }).then(
			() => undefined,
			toMessage,
		);
	}
	const { signedIn, key, name } = await get<{
		signedIn: boolean;
		key?: { id?: bigint; name?: string };
		name?: string;
	}>("/sessions/current");
	const { kind } = session.value;
	if (!signedIn && kind === "unknown")
		session.value = { kind: "signed out", reason };
	else if (!signedIn) end();
	else if (kind !== "signed in") {
		const person = key?.name ?? name;
		session.value = { kind: "signed in", person, keyId: key?.id };
		reload();
	}
}

export async function signIn(key: string): Promise<void> {
	await send("POST", "/sessions", { body: { key } });
	await checkSession();
}

export async function signOut(): Promise<void> {
	await send("DELETE", "/sessions/current");
	// The page must not keep any part of the catalogue.
	location.reload();
}
