// The page of the sandbox: what is wrong with the connection, its head, the faults, the requests, messages; or the question for the key.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Connection } from "../console/api/connection.ts";
import { hasCode, toMessage } from "../console/api/error.ts";
import { Form } from "../console/parts/dialog.tsx";
import { Button, Field } from "../console/parts/fields.tsx";
import { formatCount } from "../console/parts/format.ts";
import { Failed } from "../console/parts/poll.tsx";
import { ToastList } from "../console/parts/toasts.tsx";
import { Faults } from "./faults.tsx";
import type { AccessKey } from "./key.ts";
import type { Parts } from "./parts.ts";
import { Requests } from "./requests.tsx";

export function App(parts: Parts) {
	const { state, accessKey, toasts } = parts;
	const key = accessKey.value.value;
	useEffect(() => {
		if (key === undefined) return undefined;
		const controller = new AbortController();
		void state.follow(controller.signal);
		return () => controller.abort();
	}, [state, key]);
	if (key === undefined) return <KeyForm accessKey={accessKey} />;
	return (
		<>
			<Banner connection={state.connection} />
			<main class="view">
				<Head {...parts} />
				<Failed message={state.failure.value} />
				<div class="halves">
					<Faults {...parts} />
					<Requests {...parts} />
				</div>
			</main>
			<ToastList toasts={toasts} />
		</>
	);
}

function Head({ state, control, toasts }: Parts) {
	const animals = state.animals.value;
	const isBusy = useSignal(false);
	const reset = async () => {
		if (isBusy.peek()) return;
		isBusy.value = true;
		try {
			await control.reset();
			toasts.show("The sandbox is back at its start.");
		} catch (error) {
			toasts.fail(`Not reset. ${toMessage(error)}`);
		}
		state.readNow();
		isBusy.value = false;
	};
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
				onClick={() => void reset()}
			>
				Reset animals, faults and requests
			</Button>
		</div>
	);
}

function Banner({ connection }: { connection: Connection }) {
	const trouble = connection.trouble.value;
	return (
		<div role="alert">
			{trouble !== undefined && (
				<div
					class="banner"
					data-kind={hasCode(trouble, "network") ? "no connection" : undefined}
				>
					<p>
						<b>The sandbox does not answer.</b> Trying again …
					</p>
					<Button class="minor" onClick={connection.retry}>
						Try now
					</Button>
				</div>
			)}
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
					? "The sandbox has printed its key at its start. The key stays in this tab."
					: "The key of this sandbox is filled in."}
			</p>
		</main>
	);
}
