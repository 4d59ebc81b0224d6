// Clients that change and remove their own animals. Each repeats a request until it is acknowledged, and compares its animals with the
// acknowledged changes.
import { waitFor } from "../../test/harness/process.ts";
import { addOne, callOperator, readNames } from "./change-requests.ts";
import { type Names, type Step, toSteps } from "./change-steps.ts";

export interface Changers {
	/** The last acknowledged names of the animals, by their ids. */
	readonly expected: Names;
	/** All their acknowledged names, with the first one. */
	readonly histories: ReadonlyMap<string, readonly string[]>;
	/** The number of acknowledged requests. */
	readonly acknowledged: () => number;
	/** Requests that were done in part, acknowledged changes that were undone, and wrong replies. */
	readonly wrong: readonly string[];
	/** Resolves when a change that is sent after this call has been acknowledged. */
	readonly progress: () => Promise<void>;
	/** Resolves when each client has finished its last animals. */
	readonly stop: () => Promise<void>;
	/** Stops the clients without waiting for acknowledgements. */
	readonly abandon: () => void;
}

export function startChangers(
	count: number,
	key: string,
	url: () => string,
): Changers {
	const expected = new Map<string, string>();
	const histories = new Map<string, string[]>();
	const wrong: string[] = [];
	let acknowledged = 0;
	let lastSentAt = 0;
	let running = true;
	let abandoned = false;

	/** Calls the services until `attempt` has a result. Undefined if the clients were abandoned. */
	async function repeat<Result>(
		attempt: (url: string) => Promise<Result | undefined>,
	): Promise<Result | undefined> {
		while (!abandoned) {
			// A killed service closes or refuses the connection.
			const result = await attempt(url()).catch(() => undefined);
			if (result !== undefined) return result;
			await Bun.sleep(retryMs);
		}
		return undefined;
	}

	async function perform(step: Step): Promise<void> {
		const { method, path, body } = step;
		let attempts = 0;
		await repeat(async (url) => {
			// An earlier attempt may have succeeded without a reply.
			if (attempts++ > 0) await requireWhole(step);
			const sentAt = performance.now();
			const status = await callOperator(url, key, method, path, body);
			if (status === 503) return undefined;
			const isDoneBefore = status === 404 && attempts > 1;
			if (status >= 300 && !isDoneBefore)
				wrong.push(`${method} ${path} was answered ${status}`);
			acknowledged++;
			lastSentAt = Math.max(lastSentAt, sentAt);
			return true;
		});
		const found = await repeat((url) => readNames(url, key, step.after));
		if (found !== undefined && !isSame(found, step.after))
			wrong.push(`${toText(found)} are not ${toText(step.after)}`);
	}

	/** A request must be done completely or not at all. PostgreSQL may still run a statement of a killed service, so it gets some time. */
	async function requireWhole({ before, after }: Step): Promise<void> {
		const deadline = performance.now() + unfinishedMs;
		for (;;) {
			const found = await repeat((url) => readNames(url, key, before));
			if (found === undefined || isSame(found, before) || isSame(found, after))
				return;
			if (performance.now() > deadline) {
				wrong.push(`only a part was done: ${toText(found)}`);
				return;
			}
			await Bun.sleep(retryMs);
		}
	}

	async function addGroup(title: string, size: number): Promise<Names> {
		const names = Array.from({ length: size }, (_, n) => `${title}-${n}`);
		const added = await Promise.all(
			names.map(async (name) => {
				const id = await repeat((url) => addOne(url, key, name));
				return [id ?? "", name] as const;
			}),
		);
		return new Map(added);
	}

	const clients = Array.from({ length: count }, async (_, client) => {
		for (let number = 0; running; number++) {
			const title = `${client}-${number}`;
			const group = await addGroup(title, groupSizes[client % 2] ?? 8);
			if (abandoned) return;
			for (const [id, name] of group) histories.set(id, [name]);
			for (const step of toSteps(group, title)) {
				await perform(step);
				if (abandoned) return;
				for (const [id, name] of step.after) {
					expected.set(id, name);
					if (step.before.get(id) !== name) histories.get(id)?.push(name);
				}
			}
		}
	});

	return {
		expected,
		histories,
		acknowledged: () => acknowledged,
		wrong,
		async progress() {
			const asked = performance.now();
			await waitFor(
				() => lastSentAt >= asked || abandoned,
				"no further change was acknowledged",
			);
		},
		async stop() {
			running = false;
			await Promise.all(clients);
		},
		abandon() {
			running = false;
			abandoned = true;
		},
	};
}

/** SQLite changes the smaller groups on the event loop, and the larger ones on a thread. */
const groupSizes = [8, 24];
const retryMs = 20;
/** Longer than PostgreSQL runs a statement. */
const unfinishedMs = 2_000;

function isSame(some: Names, others: Names): boolean {
	return toText(some) === toText(others);
}

function toText(names: Names): string {
	return [...names].map(([id, name]) => `${id} ${name}`).join(", ");
}
