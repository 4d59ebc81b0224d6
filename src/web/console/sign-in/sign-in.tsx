// Sign-in with an API key: as a page, or as a dialog over the view when the session has ended.
import { useSignal } from "@preact/signals";
import { Dialog, Form } from "../parts/dialog.tsx";
import { Field } from "../parts/fields.tsx";
import type { Session } from "./session.ts";

interface SignInProps {
	readonly session: Session;
	/** The public key of a sandbox; empty elsewhere. */
	readonly exampleKey: string;
	readonly linkCommand: string;
	readonly reason: string | undefined;
}

export function SignInPage(props: SignInProps) {
	return (
		<main class="sign-in">
			<h1>Sign in</h1>
			<SignInForm {...props} />
			<Help {...props} />
		</main>
	);
}

function Help({ exampleKey, linkCommand }: SignInProps) {
	if (exampleKey !== "")
		return (
			<p class="hint">
				The key <code>{exampleKey}</code> is valid here.
			</p>
		);
	return (
		<>
			<p class="hint">
				The key needs the scope <code>operator</code>. To sign in without a key,
				run this command on the machine of the service and open the link:
			</p>
			<pre class="code">
				<code>{linkCommand}</code>
			</pre>
		</>
	);
}

export function SignInDialog(props: SignInProps) {
	return (
		<div class="signed-out">
			<Dialog title="Signed out">
				<SignInForm {...props} />
				<Help {...props} />
			</Dialog>
		</div>
	);
}

function SignInForm({ session, exampleKey, reason }: SignInProps) {
	const key = useSignal(exampleKey);
	return (
		<Form
			submit="Sign in"
			onSubmit={() => session.signIn(key.value.trim())}
			notice={reason}
		>
			<Field label="API key" kind="secret" value={key} />
		</Form>
	);
}
