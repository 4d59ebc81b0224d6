// The state of the page: the key, the form's fields, and the sandbox's last requests, fault rules and number of animals.
import { signal } from "@preact/signals";
import type { RecordedRequest } from "../../testing/recorded-request.ts";
import { base } from "../browser/base.ts";
import { createToasts } from "../console/parts/toasts.tsx";
import { createControl } from "./control.ts";
import { createKey } from "./key.ts";
import { toFields } from "./rule-fields.ts";
import { type Switch, toServed, toSwitches } from "./switches.ts";

/** How many requests are shown: more than a person reads. */
export const maxShown = 200;

const storedName = "petstore-sandbox-faults";

type State = ReturnType<typeof createState>;

/** The props of the page's elements. */
export interface WithState {
	readonly state: State;
}

/** `page` is the data that the service has put into the page. */
export function createState(page: DOMStringMap) {
	const { exampleKey = "", ruleFields = "[]" } = page;
	const key = createKey(page.needsKey === "true", exampleKey);
	const control = createControl(`${base}/sandbox`, key);
	const toasts = createToasts();
	/** Newest last. Undefined until they are read. */
	const requests = signal<readonly RecordedRequest[] | undefined>(undefined);
	const stored: readonly Switch[] = JSON.parse(
		sessionStorage.getItem(storedName) ?? "[]",
	);
	const switches = signal(stored);
	const animals = signal<number | undefined>(undefined);
	/** Why the last read failed. */
	const failure = signal<string | undefined>(undefined);
	/** How often this page has changed the sandbox. */
	const changes = signal(0);

	function show(next: readonly Switch[]): void {
		switches.value = next;
		sessionStorage.setItem(storedName, JSON.stringify(next));
	}

	/** Changes the rules of the sandbox, from their current state: others may change them too. */
	async function change(
		next: (switches: readonly Switch[]) => readonly Switch[],
	): Promise<void> {
		const current = toSwitches(switches.peek(), await control.listFaults());
		const changed = next(current);
		await control.setFaults(toServed(changed));
		show(changed);
		changes.value++;
	}

	/** Shows a message if the work fails. */
	async function attempt(
		...work: Parameters<typeof toasts.attempt>
	): Promise<void> {
		await toasts.attempt(...work);
		changes.value++;
	}

	return {
		key,
		toasts,
		requests,
		switches,
		animals,
		failure,
		changes,
		change,
		fields: toFields(ruleFields),
		/** A command that sends a request. */
		example: `curl -H "Authorization: Bearer ${exampleKey || "$KEY"}" ${base}/v1/pets`,
		async read(ending: AbortSignal): Promise<void> {
			const shown = requests.peek() ?? [];
			// Keeps the replies short.
			const since = shown.length < maxShown ? undefined : shown[0]?.at;
			const [listed, served] = await Promise.all([
				control.listRequests(since, ending),
				control.listFaults(ending),
			]);
			show(toSwitches(switches.peek(), served));
			const next = listed.slice(-maxShown);
			const isSame =
				next.length === shown.length &&
				next.every(({ at }, index) => at === shown[index]?.at);
			// Only requests change the animals, and counting many is slow. An empty list may come from a reset.
			if (isSame && next.length > 0) return;
			animals.value = await control.countAnimals(ending);
			requests.value = next;
		},
		tryChange: (next: Parameters<typeof change>[0]) =>
			attempt("Could not change the rules.", () => change(next)),
		clear: () =>
			attempt("Could not clear the requests.", control.removeRequests),
		reset: () =>
			attempt("Could not reset the sandbox.", async () => {
				await control.reset();
				toasts.show("The sandbox was reset.");
			}),
	};
}
