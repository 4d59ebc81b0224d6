// Whether somebody is signed in, and the sign-in with an API key: as a page, or as a dialog over the view when the session has ended. The
// session itself is a cookie that scripts cannot read.
import { signal } from "@preact/signals";
import type { Session as SessionJson } from "../../interface/replies.ts";
import { ApiError, access, get, reload, send, toMessage } from "../ui/api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { CopyField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { mayDiscard, typed } from "../ui/typed.ts";
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
access.toError = (error) => {
	if (error.code !== "unauthenticated") {
		const { code, message, members } = error;
		const said = message.replace(/^The store cannot/, "The database cannot");
		return new ApiError(code, words[code] ?? said, members);
	}
	end();
	// The message of the service is for programs: it names headers.
	return new ApiError("session_ended", "Your session has ended.");
};

const askForHelp =
	"Try again. If it stays so, tell the person who runs the service.";

/** What the service says for programs, in the words of a shop: what happened, and what to do. */
const words: Readonly<Record<string, string>> = {
	precondition_failed:
		"Somebody else has changed these animals since you saw them, so nothing was done. Look at them again, then repeat it.",
	idempotency_mismatch: "This was done already. Look for it in the list.",
	ids_exhausted:
		"No further animal can be numbered. Tell the person who runs the service.",
	internal: `The service has made a mistake. ${askForHelp}`,
	not_found: "It does not exist, or somebody has removed it.",
	rate_limited: "These are too many requests at once. Wait a minute.",
	request_timeout: "The file took too long to arrive. Try again.",
	unreadable: `The answer did not come from the service. ${askForHelp}`,
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
	const { signedIn, key, name } = await get<SessionJson>("/sessions/current");
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

async function signIn(key: string): Promise<void> {
	await send("POST", "/sessions", { body: { key } });
	await checkSession();
}

export async function signOut(): Promise<void> {
	if (!mayDiscard(...typed.value)) return;
	await send("DELETE", "/sessions/current");
	// The page must not keep any part of the catalogue.
	location.reload();
}

/** What the service puts into the page: the public key of a sandbox, and the command that makes a link. */
export const { exampleKey = "", linkCommand = "petstore console" } =
	document.body.dataset;

export function SignInPage() {
	return (
		<main class="sign-in">
			<h1>Sign in</h1>
			<SignIn notice={session.value.reason} />
		</main>
	);
}

export function SignInDialog() {
	return (
		<div class="signed-out">
			<Dialog title="Signed out" onClose={null}>
				<SignIn notice="Your session has ended. Sign in to continue. The page keeps what you typed." />
			</Dialog>
		</div>
	);
}

function SignIn({ notice }: { notice: string | undefined }) {
	// The service refuses it too, but then the key has been sent.
	if (!isSecureContext)
		return (
			<p class="notice">
				This page came over plain HTTP, so others in the network could read your
				key. Open it at an address that begins with <code>https://</code>, or on
				the machine of the service at <code>http://localhost</code>.
			</p>
		);
	return (
		<>
			{notice && <p class="notice">{notice}</p>}
			<Form
				submit="Sign in"
				fields={{
					key: {
						label: "API key",
						value: exampleKey,
						input: { type: "password" },
					},
				}}
				run={({ key = "" }) => signIn(key.trim())}
			/>
			{exampleKey === "" ? (
				<>
					<p class="hint">
						The key needs the scope <code>operator</code>. To sign in without a
						key, run this command on the machine of the service and open the
						link:
					</p>
					<CopyField label="Command" text={linkCommand} />
				</>
			) : (
				<p class="hint">
					The key <code>{exampleKey}</code> is valid here.
				</p>
			)}
		</>
	);
}
