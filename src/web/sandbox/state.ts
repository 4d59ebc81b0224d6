// What the sandbox has: its last requests, fault rules and number of animals. Followed by long polls while the page is visible.
import { signal } from "@preact/signals";
import type { Connection } from "../console/api/connection.ts";
import { hasCode, toMessage } from "../console/api/error.ts";
import { list, toMembers } from "../console/api/values.ts";
import type { Control, Recorded, Wait } from "./control.ts";
import { type Switch, toServed, toSwitches } from "./switches.ts";

/** How many requests are shown: more than a person reads. */
export const maxShown = 200;

/** How long a poll waits for the next request, and the pause after it. */
const waitMs = 10_000;
const pauseMs = 200;
/** How often a hidden page looks whether it is shown again. */
const hiddenMs = 500;

export type State = ReturnType<typeof createState>;

export function createState(control: Control, connection: Connection) {
	/** Newest last. Undefined until they are read. */
	const requests = signal<readonly Recorded[] | undefined>(undefined);
	const switches = signal(readStored());
	const animals = signal<number | undefined>(undefined);
	/** Why the last read failed for good. */
	const failure = signal<string | undefined>(undefined);
	let polling = new AbortController();

	function show(next: readonly Switch[]): void {
		switches.value = next;
		sessionStorage.setItem(storedName, JSON.stringify(next));
	}

	async function read(
		wait: Wait | undefined,
		ending: AbortSignal,
	): Promise<void> {
		const listed = await control.listRequests(wait, ending);
		const [served, count] = await Promise.all([
			control.listFaults(ending),
			control.countAnimals(ending),
		]);
		requests.value = listed.slice(-maxShown);
		show(toSwitches(switches.peek(), served));
		animals.value = count;
		failure.value = undefined;
		connection.trouble.value = undefined;
	}

	/** Reads at once instead of at the next request. */
	const readNow = () => polling.abort();

	return {
		...{ requests, switches, animals, failure, connection, readNow },
		/** Changes the rules of the sandbox. It has what others have changed in the meantime. */
		async change(
			next: (switches: readonly Switch[]) => readonly Switch[],
		): Promise<void> {
			const current = toSwitches(switches.peek(), await control.listFaults());
			const changed = next(current);
			await control.setFaults(toServed(changed));
			show(changed);
			readNow();
		},
		/** Until the signal is aborted, or a read fails for good. */
		async follow(ending: AbortSignal): Promise<void> {
			let wait: Wait | undefined;
			for (let failures = 0; !ending.aborted; ) {
				polling = new AbortController();
				const either = AbortSignal.any([ending, polling.signal]);
				try {
					while (document.visibilityState !== "visible")
						await connection.wait(hiddenMs, either);
					await read(wait, either);
					failures = 0;
					wait = toWait(requests.peek() ?? []);
					await connection.wait(pauseMs, either);
				} catch (error) {
					wait = undefined;
					if (ending.aborted) return;
					if (polling.signal.aborted) continue;
					if (!hasCode(error, "network", "unavailable", "rate_limited")) {
						failure.value = toMessage(error);
						return;
					}
					connection.trouble.value = error;
					const ms = Math.min(1_000 * 2 ** failures++, 8_000);
					await connection.wait(ms, either).catch(() => undefined);
				}
			}
		},
	};
}

/** For one request more than these. `since` keeps the replies short. It must not hide a request that came early and is answered late. */
function toWait(shown: readonly Recorded[]): Wait {
	const since = shown.length < maxShown ? 0 : (shown[0]?.at ?? 0);
	const count = shown.filter(({ at }) => at >= since).length + 1;
	return { since: new Date(since).toISOString(), count, ms: waitMs };
}

const storedName = "petstore-sandbox-faults";

function readStored(): readonly Switch[] {
	try {
		const stored: unknown = JSON.parse(
			sessionStorage.getItem(storedName) ?? "[]",
		);
		return list((one) => {
			const { rule, left } = toMembers(one);
			return {
				rule: toMembers(rule),
				left: left === undefined ? undefined : toMembers(left),
			};
		})(stored, "switches");
	} catch {
		return [];
	}
}
