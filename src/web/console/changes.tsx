// Changes and removes animals, one or many, shows the outcome, and takes it back. What somebody else has changed since stays as it is.
import { signal } from "@preact/signals";
import { givenNames, type PetPatch, toPatch } from "../../domain/pet.ts";
import { hasCode, send } from "../ui/api.ts";
import { ask } from "../ui/form.tsx";
import {
	capitalise,
	formatAnimals,
	formatCount,
	toTitle,
	toTitles,
} from "../ui/format.tsx";
import { reload } from "../ui/resource.tsx";
import { Table } from "../ui/table.tsx";
import { attempt, say } from "../ui/toasts.tsx";
import { type Author, readPet, toAuthor } from "./entry.ts";
import { release } from "./find.ts";
import { isSame, type Pet, toFieldTitle, Value } from "./pet.tsx";

/** Without `set`, removes the animal. It fails if the animal no longer has the version that the page shows. */
export interface Change {
	readonly pet: Pet;
	readonly set?: PetPatch;
}

interface Done {
	readonly before: Pet;
	/** Undefined if it was removed. */
	readonly after: Pet | undefined;
}

/** The most animals that a request changes. */
const batchLimit = 1_000;
/** Browsers send this many requests to one host at the same time. */
const restoresAtOnce = 6;

/** What is being done to many animals, and how far it is. */
export const work = signal<string | undefined>(undefined);

/** All or none. */
async function sendBatch(changes: readonly Change[]): Promise<readonly Done[]> {
	const latest = changes.map((one) => ({ ...one, pet: toLatest(one.pet) }));
	const entries = latest.map(({ pet: { id: petId, version }, set }) =>
		set ? { petId, version, set } : { petId, version, remove: true },
	);
	const { versions } = await send<{ versions: readonly bigint[] }>(
		"POST",
		"/pets/batch",
		{ body: { changes: entries } },
	);
	return latest.map(({ pet, set }, index) => {
		const version = versions[index] ?? 0n;
		const after = set && { ...pet, ...toGiven(set), version };
		if (after) ownChanges.set(pet.id, after);
		return { before: pet, after };
	});
}

/** What this page has done. The list may not show it yet. */
const ownChanges = new Map<bigint, Pet>();

/** Each version is greater than those before it. */
function toLatest(pet: Pet): Pet {
	const own = ownChanges.get(pet.id);
	return own && own.version > pet.version ? own : pet;
}

/** A member that was cleared is absent. */
function toGiven(set: PetPatch): Partial<Pet> {
	return Object.fromEntries(
		Object.entries(set).map(([name, value]) => [name, value ?? undefined]),
	);
}

/** The index of the animal that somebody else has changed or removed. */
function toConflict(error: unknown): number | undefined {
	return hasCode(error, "precondition_failed", "not_found") &&
		error.members.index !== undefined
		? Number(error.members.index)
		: undefined;
}

/** In batches. Skips what somebody else has changed. */
async function apply(
	changes: readonly Change[],
	onDone: (count: number) => void,
): Promise<readonly Done[]> {
	const done: Done[] = [];
	for (let rest = changes; rest.length > 0; ) {
		const batch = rest.slice(0, batchLimit);
		try {
			done.push(...(await sendBatch(batch)));
			rest = rest.slice(batchLimit);
		} catch (error) {
			const index = toConflict(error);
			if (index === undefined) throw error;
			rest = rest.toSpliced(index, 1);
		}
		onDone(changes.length - rest.length);
	}
	return done;
}

/** Runs one work at a time, with a message if it fails. */
async function run(
	text: string,
	action: (count: (done: number, of: number) => void) => Promise<void>,
): Promise<boolean> {
	if (work.peek() !== undefined) return false;
	work.value = `${text} …`;
	const isDone = await attempt(`${text} failed.`, () =>
		action((done, of) => {
			work.value = `${text}: ${formatCount(done)} of ${formatCount(of)} …`;
		}),
	);
	work.value = undefined;
	release();
	reload();
	return isDone;
}

/** Many animals, with one Undo. Returns whether it succeeded. */
export function changeMany(
	text: string,
	toChanges: () => Promise<readonly Change[]>,
): Promise<boolean> {
	return run(text, async (count) => {
		const changes = await toChanges();
		const done = await apply(changes, (sum) => count(sum, changes.length));
		const titles = toTitles(done.map(({ before }) => before));
		const others = toOthersText(changes.length - done.length);
		if (done.length > 0) say(`${text}: ${titles}.${others}`, () => undo(done));
		else if (others) say(others.trim());
	});
}

function toOthersText(others: number): string {
	return others === 0
		? ""
		: ` Changed by somebody else since: ${formatAnimals(others)}.`;
}

/** Later changes by others stay. Removed animals come back from the history. */
function undo(done: readonly Done[]): Promise<boolean> {
	return run("Put back", async (count) => {
		const changes = done.flatMap(({ before, after }) =>
			after ? [{ pet: after, set: toBack(after, before) }] : [],
		);
		const changed = await apply(changes, (sum) => count(sum, done.length));
		const restored = changed.map(({ before }) => before);
		const others = toOthersText(changes.length - restored.length);
		const removed = done.filter(({ after }) => after === undefined);
		for (let at = 0; at < removed.length; at += restoresAtOnce) {
			const some = removed.slice(at, at + restoresAtOnce);
			restored.push(
				...(await Promise.all(some.map(({ before }) => restore(before)))),
			);
			count(restored.length, done.length);
		}
		if (restored.length > 0 || others)
			say(`Put back: ${toTitles(restored)}.${others}`);
	});
}

/** With null for members that `before` did not have. */
function toBack(after: Pet, before: Pet): PetPatch {
	return toPatch((name) =>
		after[name] === before[name] ? undefined : (before[name] ?? null),
	);
}

/** Restores an earlier content, whatever was changed since. A removed animal comes back with its id. */
function restore({ id, version }: Pet): Promise<Pet> {
	return send<Pet>("POST", `/pets/${id}/restore`, { body: { version } });
}

/** From the history, with a message. */
export function putBack(before: Pet): Promise<boolean> {
	return attempt(`Could not put back ${toTitle(before)}.`, async () => {
		const { pet: current } = await readPet(String(before.id));
		const after = await restore(before);
		release();
		reload();
		const title = capitalise(toTitle(after));
		if (current === undefined) say(`${title} is back.`, () => remove(after));
		else
			say(
				`${title} is as it was before this change.`,
				isSame(current, after)
					? undefined
					: () => undo([{ before: current, after }]),
			);
	});
}

export function remove(pet: Pet): Promise<boolean> {
	return attempt(`Could not remove ${toTitle(pet)}.`, async () => {
		const done = await sendBatch([{ pet }]).catch((error) => {
			throw toConflict(error) === undefined ? error : toRefusal(error, pet);
		});
		release();
		reload();
		say(`Removed ${toTitle(pet)}.`, () => undo(done), true);
	});
}

function toRefusal(error: unknown, pet: Pet): Error {
	const what = hasCode(error, "not_found") ? "removed" : "changed";
	return new Error(`${capitalise(toTitle(pet))} was ${what} by somebody else.`);
}

/** Changes one animal, and then calls `onDone`. After a change by somebody else, asks which version to keep, and rejects nothing. */
export async function change(
	pet: Pet,
	set: PetPatch,
	onDone: () => void = () => {},
): Promise<void> {
	const isStatus = Object.keys(set).join() === "status";
	const finish = (after: Pet, undone?: () => unknown) => {
		const title = capitalise(toTitle(after));
		say(`${title} is ${isStatus ? after.status : "saved"}.`, undone);
		reload();
		onDone();
	};
	try {
		const done = await sendBatch([{ pet, set }]);
		const [{ after = pet } = {}] = done;
		finish(after, isSame(pet, after) ? undefined : () => undo(done));
	} catch (error) {
		if (toConflict(error) === undefined) throw error;
		const { pet: current, entries } = await readPet(String(pet.id));
		if (current === undefined) throw toRefusal(error, pet);
		reload();
		const mine = { ...current, ...toGiven(set) };
		// Somebody else made the same change, or the reply to an earlier attempt was lost.
		if (isSame(current, mine)) finish(current);
		else
			ask({
				...toQuestion(current, mine, entries[0]?.by),
				onCancel: onDone,
				run: () => change(current, set, onDone),
			});
	}
}

function toQuestion(theirs: Pet, mine: Pet, by: Author | undefined) {
	return {
		title: "Changed by somebody else",
		submit: "Use mine",
		cancel: "Keep theirs",
		children: (
			<>
				<p>
					<bdi>{by ? toAuthor(by) : "Somebody else"}</bdi> changed animal{" "}
					{String(theirs.id)} while you were looking at it. Your change is not
					saved yet.
				</p>
				<Table
					class="versions"
					rows={givenNames}
					toKey={(name) => name}
					toAttributes={(name) => ({
						class: mine[name] === theirs[name] ? "" : "differs",
					})}
					columns={[
						{ title: "Field", kind: "head", cell: toFieldTitle },
						{
							title: "Theirs",
							cell: (name) => <Value pet={theirs} name={name} />,
						},
						{ title: "Mine", cell: (name) => <Value pet={mine} name={name} /> },
					]}
				/>
			</>
		),
	};
}
