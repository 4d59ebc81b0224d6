// The page of the sandbox: connection errors, faults, requests and messages; or the form for the key.
import { useSignal } from "@preact/signals";
import { Form } from "../console/parts/dialog.tsx";
import { Button, Field } from "../console/parts/fields.tsx";
import { formatCount } from "../console/parts/format.ts";
import { attempt, Failed, usePolling } from "../console/parts/poll.tsx";
import { ToastList } from "../console/parts/toasts.tsx";
import { Faults } from "./faults.tsx";
import type { AccessKey } from "./key.ts";
import { Requests } from "./requests.tsx";
import type { WithState } from "./state.ts";

/** How often the visible page polls the sandbox. */
const pollMs = 500;

export function App({ state }: WithState) {
	return state.key.current.value === undefined ? (
		<KeyForm accessKey={state.key} />
	) : (
		<Opened state={state} />
	);
}

function Opened({ state }: WithState) {
	const { read, failure, changes } = state;
	usePolling(pollMs, (ending) => attempt(failure, ending, () => read(ending)), [
		changes.value,
	]);
	return (
		<>
			<main class="view">
				<Head state={state} />
				<Failed message={failure.value && `${failure.value} Retrying …`} />
				<div class="halves">
					<Faults state={state} />
					<Requests state={state} />
				</div>
			</main>
			<ToastList toasts={state.toasts} />
		</>
	);
}

function Head({ state }: WithState) {
	const animals = state.animals.value;
	return (
		<div class="head">
			<h1 tabIndex={-1}>Sandbox</h1>
			<p class="animals">
				{animals !== undefined && (
					<>
						<b>{formatCount(animals)}</b> {animals === 1 ? "animal" : "animals"}
					</>
				)}
			</p>
			<Button
				class="minor"
				title="Brings back the animals of the start. Removes fault rules, recorded requests, keys and sessions."
				onClick={() => void state.reset()}
			>
				Reset animals, faults and requests
			</Button>
		</div>
	);
}

function KeyForm({ accessKey }: { accessKey: AccessKey }) {
	const key = useSignal(accessKey.example);
	return (
		<main class="sign-in">
			<h1>Sandbox</h1>
			<Form
				submit="Open"
				onSubmit={async () => accessKey.enter(key.value.trim())}
				notice={accessKey.refusal.value}
			>
				<Field label="API key" kind="secret" value={key} />
			</Form>
			<p class="hint">
				{accessKey.example === ""
					? "The sandbox printed its key when it started. The key stays in this tab."
					: "The key of this sandbox is filled in."}
			</p>
		</main>
	);
}
