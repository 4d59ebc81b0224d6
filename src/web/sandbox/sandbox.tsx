// The script of the sandbox page: connection errors, faults, requests and messages; or the form for the key.

import { signal } from "@preact/signals";
import { base, keyName } from "../browser/base.ts";
import { access, get, hasCode, send } from "../ui/api.ts";
import { Button } from "../ui/dialog.tsx";
import { AskedDialog, Form } from "../ui/form.tsx";
import { formatAnimals } from "../ui/format.tsx";
import { Trouble, useResource } from "../ui/resource.tsx";
import { show } from "../ui/show.ts";
import { attempt, say, Toasts } from "../ui/toasts.tsx";
import { Faults } from "./faults.tsx";
import { Requests } from "./requests.tsx";

const { exampleKey = "" } = document.body.dataset;
/** Why the key is asked for; undefined if it is not. */
const question = signal<string | undefined>(undefined);

access.prefix = "/sandbox";
access.toError = (error) => {
	if (hasCode(error, "unauthenticated", "forbidden")) {
		sessionStorage.removeItem(keyName);
		question.value = error.message;
	}
	return error;
};
// A sandbox that needs no key ignores it.
enter(sessionStorage.getItem(keyName) ?? exampleKey);

function enter(key: string): void {
	sessionStorage.setItem(keyName, key);
	access.headers = key === "" ? {} : { Authorization: `Bearer ${key}` };
	question.value = undefined;
}

function App() {
	return question.value === undefined ? <Opened /> : <KeyForm />;
}

function Opened() {
	const { value } = useResource((ending) =>
		get<{ animals: bigint }>("/animals", ending),
	);
	return (
		<>
			<main class="view">
				<div class="head">
					<h1 tabIndex={-1}>Sandbox</h1>
					<p class="soft">{value && formatAnimals(value.animals)}</p>
					<Button
						class="minor"
						title="Brings back the animals of the start. Removes fault rules, recorded requests, keys and sessions."
						onClick={() => void attempt("Could not reset the sandbox.", reset)}
					>
						Reset animals, faults and requests
					</Button>
				</div>
				<div class="halves">
					<Faults />
					<Requests
						example={`curl -H "Authorization: Bearer ${exampleKey || "$KEY"}" ${base}/v1/pets`}
					/>
				</div>
			</main>
			<footer class="dock">
				<Trouble />
				<Toasts />
			</footer>
			<AskedDialog />
		</>
	);
}

async function reset(): Promise<void> {
	await send("POST", "/reset");
	say("The sandbox was reset.");
}

function KeyForm() {
	return (
		<main class="sign-in">
			<h1>Sandbox</h1>
			<p class="notice">{question.value}</p>
			<Form
				submit="Open"
				fields={{ key: { label: "API key", input: { type: "password" } } }}
				run={({ key = "" }) => enter(key.trim())}
			/>
			<p class="hint">
				The sandbox printed its key when it started. The key stays in this tab.
			</p>
		</main>
	);
}

show(App, ".console");
