// Sign-in with an API key: as a page, or as a dialog over the view when the session has ended.
import { useSignal } from "@preact/signals";
import { Dialog, Form } from "../parts/dialog.tsx";
import { Field } from "../parts/fields.tsx";
import type { ConsoleParts } from "../state.ts";

interface SignInProps extends ConsoleParts {
	readonly reason: string | undefined;
}

export function SignInPage(props: SignInProps) {
	return (
		<main class="sign-in">
			<h1>Sign in</h1>
			<SignIn {...props} />
		</main>
	);
}

export function SignInDialog(props: SignInProps) {
	return (
		<div class="signed-out">
			<Dialog title="Signed out">
				<SignIn {...props} />
			</Dialog>
		</div>
	);
}

function SignIn({ session, exampleKey, reason }: SignInProps) {
	const key = useSignal(exampleKey);
	return (
		<>
			<Form
				submit="Sign in"
				onSubmit={() => session.signIn(key.value.trim())}
				notice={reason}
			>
				<Field label="API key" kind="secret" value={key} />
			</Form>
			{exampleKey === "" ? (
				<>
					<p class="hint">
						The key needs the scope <code>operator</code>. To sign in without a
						key, run this command on the machine of the service and open the
						link:
					</p>
					<pre class="code">
						<code>petstore console</code>
					</pre>
				</>
			) : (
				<p class="hint">
					The key <code>{exampleKey}</code> is valid here.
				</p>
			)}
		</>
	);
}
