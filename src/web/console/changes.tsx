// Changes and removes animals, and says what was done, with the way back. Each request is an edit, which the service undoes as a whole; the
// history has edits, and the entries of single animals.
import { toPetId } from "../../domain/pet/pet-id.ts";
import { toCountText } from "../../domain/quantity.ts";
import type { Edit, HistoryEntry as Entry } from "../../interface/replies.ts";
import { exchange, get, hasCode, toMessage, unlessMissing } from "../ui/api.ts";
import { type Asked, ask } from "../ui/form.tsx";
import { capitalise, formatAnimals, isolate, toTitle } from "../ui/format.tsx";
import { attempt, say } from "../ui/toasts.tsx";
import { Differences, isSame, type Patch, type Pet } from "./pet.tsx";

export type { Edit, Entry };
export type Author = Edit["by"];
export type Entries = Readonly<{ entries: readonly Entry[]; next?: bigint }>;

/** A request that makes an edit; null if it has changed nothing. */
export async function sendEdit<Reply>(
	path: string,
	body?: object,
	headers: Readonly<Record<string, string>> = {},
) {
	const options = { body, headers };
	const made = await exchange<Reply>("POST", path, options);
	return { reply: made.reply, edit: made.headers.get("Edit-Id") };
}

/** More animals are changed only after a question. */
const maxUnasked = 20;

/** Asks before it changes many animals. */
export function askAbove(count: number, asked: Asked): void {
	if (count > maxUnasked) ask(asked);
	else void attempt("Could not do it.", async () => asked.run?.({}));
}

/** Says what an edit did, and offers to undo it as long as what it left is the newest state. */
export function sayDone(text: string, id: string | null): void {
	say(text, id === null ? undefined : () => undo(id, "?untouched=true"));
}

/** Why an edit cannot be undone, with who is the reason; undefined if only the service knows. */
async function findHindrance(id: string): Promise<string | undefined> {
	const { edits } = await get<{ edits: readonly Edit[] }>("/edits?limit=100");
	const later = edits.filter((one) => one.id > BigInt(id));
	const restored = later.find(({ kind }) => kind === "restored");
	if (restored)
		return `${capitalise(toAuthor(restored.by))} restored a backup since then. Nothing was undone.`;
	const edit = await get<Edit & Entries>(`/edits/${id}`);
	const undone = later.find((one) => one.id === edit.undoneBy);
	if (undone)
		return `${capitalise(toAuthor(undone.by))} has undone it already.`;
	const [entry, other] = edit.entries;
	if (entry === undefined || other) return undefined;
	const { entries, pet } = await readPet(String(entry.petId));
	const [newest = entry] = entries;
	if (newest.edit === entry.edit) return undefined;
	const named = pet ?? newest.before ?? { id: entry.petId, name: "" };
	return `${capitalise(toAuthor(newest.by))} has changed or removed ${toTitle(named)} since then. Nothing was undone. The history has both changes.`;
}

interface Undone {
	readonly edit: Edit;
	/** The first ones. */
	readonly skipped: readonly bigint[];
	readonly skippedTotal: bigint;
}

/** Animals that were changed since stay as they are. */
export function undo(edit: bigint | string, query = ""): Promise<boolean> {
	return attempt("Could not undo it.", async () => {
		say("Undoing …");
		const { reply } = await sendEdit<Undone>(
			`/edits/${edit}/undo${query}`,
		).catch(async (error) => {
			if (!hasCode(error, "conflict")) throw error;
			throw new Error((await findHindrance(`${edit}`)) ?? toMessage(error));
		});
		const skipped = await toSkippedText(reply);
		say(`Undone: ${formatAnimals(toTotal(reply.edit))}.${skipped}`);
	});
}

/** Names the first ones. */
async function toSkippedText({ skipped, skippedTotal }: Undone) {
	if (skipped.length === 0) return "";
	const named = await Promise.all(
		skipped.slice(0, 3).map(async (id) => {
			const { pet, entries } = await readPet(String(id));
			return toTitle(pet ?? entries[0]?.before ?? { id, name: "" });
		}),
	);
	const others = Number(skippedTotal) - named.length;
	const all = others > 0 ? [...named, `${toCountText(others)} others`] : named;
	return ` Changed since, so left as they are: ${all.join(", ")}.`;
}

/** The versions that this page has made. The list may not show them yet. */
const ownVersions = new Map<bigint, bigint>();

/** All or none, if each has the version that the page shows. Without `set`, removes them. Returns the edit. */
export async function sendChanges(pets: readonly Pet[], set?: Patch) {
	const changes = pets.map(({ id, version }) => {
		const own = ownVersions.get(id) ?? version;
		const latest = { petId: id, version: own > version ? own : version };
		return set ? { ...latest, set } : { ...latest, remove: true };
	});
	try {
		const { reply, edit } = await sendEdit<{ versions: readonly bigint[] }>(
			"/pets/batch",
			{ changes },
		);
		for (const [at, { id }] of pets.entries())
			ownVersions.set(id, reply.versions[at] ?? 0n);
		return edit;
	} catch (error) {
		const pet = hasCode(error, "precondition_failed", "not_found")
			? pets[Number(error.members.index)]
			: undefined;
		if (pet === undefined) throw error;
		throw new Conflict(pet, await readPet(String(pet.id)));
	}
}

/** Somebody else has changed or removed an animal. */
class Conflict extends Error {
	readonly by: Author | undefined;
	/** Undefined if it was removed. */
	readonly current: Pet | undefined;

	constructor(pet: Pet, found: Awaited<ReturnType<typeof readPet>>) {
		const by = found.entries[0]?.by;
		const what = `was ${found.pet ? "changed" : "removed"} by ${toAuthor(by)}`;
		super(`${capitalise(toTitle(pet))} ${what}. Nothing was done.`);
		this.by = by;
		this.current = found.pet;
	}
}

/** From the history, with a message. */
export function putBack(before: Pet): Promise<boolean> {
	const title = toTitle(before);
	return attempt(`Could not put back ${title}.`, async () => {
		const { id, version } = before;
		const { edit } = await sendEdit(`/pets/${id}/restore`, { version });
		sayDone(`Put back ${title}.`, edit);
	});
}

export function remove(pet: Pet): Promise<boolean> {
	return attempt(`Could not remove ${toTitle(pet)}.`, async () =>
		sayDone(`Removed ${toTitle(pet)}.`, await sendChanges([pet])),
	);
}

/** Changes one animal, and then calls `onDone`. After a change by somebody else, asks which version to keep, and rejects nothing. */
export async function change(
	pet: Pet,
	set: Patch,
	onDone: () => void = () => {},
): Promise<void> {
	const finish = (edit: string | null) => {
		const after = toChanged(pet, set);
		const isStatus = Object.keys(set).join() === "status";
		const title = capitalise(toTitle(after));
		sayDone(`${title} is ${isStatus ? after.status : "saved"}.`, edit);
		onDone();
	};
	try {
		finish(await sendChanges([pet], set));
	} catch (error) {
		if (!(error instanceof Conflict) || !error.current) throw error;
		const { current, by } = error;
		const mine = toChanged(current, set);
		// Somebody else made the same change, or the reply to an earlier attempt was lost.
		if (isSame(current, mine)) return finish(null);
		ask({
			title: "Changed by somebody else",
			submit: "Use mine",
			cancel: "Keep theirs",
			onCancel: onDone,
			Content: () => (
				<>
					<p>
						{capitalise(toAuthor(by))} changed animal {String(pet.id)} while you
						were looking at it. Your change is not saved yet. From theirs to
						yours:
					</p>
					<Differences before={current} after={mine} />
				</>
			),
			run: () => change(current, set, onDone),
		});
	}
}

/** A member that was cleared is absent. */
function toChanged(pet: Pet, set: Patch): Pet {
	const given = Object.entries(set).map(([name, value]) => [
		name,
		value ?? undefined,
	]);
	return { ...pet, ...Object.fromEntries(given) };
}

/** All animals of an edit. */
export function toTotal({ added, changed, removed }: Edit): number {
	return Number(added + changed + removed);
}

/** An animal as it is now, with its newest entries; without `pet` if it was removed or never existed. */
export async function readPet(id: string, ending?: AbortSignal) {
	// The address may have anything in place of an id.
	if (toPetId(id) === undefined) return { entries: [], pet: undefined };
	const path = `/pets/${id}/history?limit=50`;
	const found = await get<Entries>(path, ending).catch(unlessMissing);
	const { entries = [] } = found ?? {};
	if (entries[0]?.kind === "removed") return { entries, pet: undefined };
	const pet = await get<Pet>(`/pets/${id}`, ending).catch(unlessMissing);
	return { entries, pet };
}

/** In a sentence. `capitalise` leaves a name as it is, since a character that isolates it comes first. */
export function toAuthor({ kind, keyId, name }: Partial<Author> = {}): string {
	if (name !== undefined) return isolate(name);
	if (keyId !== undefined) return `key ${keyId}`;
	return kind === "command line" ? `the ${kind}` : "somebody";
}
