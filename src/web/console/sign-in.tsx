// Sign-in with an API key: as a page, or as a dialog over the view when the session has ended.
import { CopyField } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Form } from "../ui/form.tsx";
import { session, signIn } from "./session.ts";

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
	return (
		<>
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
			>
				{notice && <p class="notice">{notice}</p>}
			</Form>
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
