// Histories of animals in two databases. Two processes use the first one. Every ETag must stand for one animal with one content, and
// never for anything else.

import {
	type NewPet,
	type Pet,
	petToJson,
	storedPetToJson,
	toContent,
} from "../../src/domain/pet.ts";
import {
	toCondition,
	toVersionCondition,
	type VersionCondition,
} from "../../src/domain/version.ts";
import type { Changed, FoundPet } from "../../src/store/changes.ts";
import type { Store } from "../../src/store/store.ts";
import { toPetReply } from "../../src/v1/get.ts";
import { backUp, restore as restoreBackup } from "../harness/backup.ts";

/** The first two stores have the same database. */
export type Stores = readonly [Store, Store, Store];
export type Place = 0 | 1 | 2;

/** Animals and backups are named by number, since they are known only when the step is taken. */
export type Step =
	| { readonly kind: "add"; readonly place: Place; readonly pet: NewPet }
	| {
			readonly kind: "change";
			readonly place: Place;
			readonly changes: readonly AskedChange[];
	  }
	/** Both processes change the same version at the same time. */
	| { readonly kind: "race"; readonly number: number }
	| {
			readonly kind: "backUp";
			readonly place: Place;
	  }
	| {
			readonly kind: "restore";
			readonly place: Place;
			readonly number: number;
	  };

export interface AskedChange {
	readonly number: number;
	readonly set: Partial<NewPet> | undefined;
	readonly condition: (typeof conditions)[number];
	/** The number of an ETag that the history has seen. */
	readonly earlier: number;
}

export const conditions = [
	...(["none", "none", "this", "version", "list", "any"] as const),
	...(["earlier", "weak", "another version"] as const),
] as const;

/** The animals and ETags of the stores. */
export interface World {
	readonly stores: Stores;
	/** The animals of each database. */
	readonly databases: readonly [Animals, Animals];
	/** The bytes of each ETag, in both interfaces. */
	readonly seen: Map<string, string>;
}

type Animals = Map<bigint, Shown>;

interface Shown {
	readonly pet: Pet;
	readonly version: bigint;
	readonly tag: string;
}

export function toWorld(stores: Stores): World {
	return { stores, databases: [new Map(), new Map()], seen: new Map() };
}

/** Takes the steps of a history one after the other, and throws at the first wrong result. */
export async function live(
	world: World,
	steps: readonly Step[],
): Promise<void> {
	const history: History = { tags: [], backups: [], removed: 1n };
	for (const place of [0, 2] as const) await removeAll(world, place);
	try {
		for (const step of steps) {
			const database = await take(world, history, step);
			for (const place of [0, 1, 2] as const)
				if (databaseOf(place) === database) await observe(world, place);
		}
	} finally {
		for (const { remove } of history.backups) remove();
	}
}

interface History {
	readonly tags: string[];
	readonly backups: Backup[];
	/** The id of the last animal that was removed. */
	removed: bigint;
}

interface Backup {
	readonly path: string;
	readonly remove: () => void;
	readonly animals: readonly Shown[];
}

/** Returns the number of the database that the step concerns. */
async function take(
	world: World,
	history: History,
	step: Step,
): Promise<0 | 1> {
	switch (step.kind) {
		case "add":
			await add(world, history, step.place, step.pet);
			return databaseOf(step.place);
		case "change":
			await change(world, history, step.place, step.changes);
			return databaseOf(step.place);
		case "race":
			await race(world, history, step.number);
			return 0;
		case "backUp": {
			const backup = await backUp(world.stores[step.place]);
			const animals = [...animalsAt(world, step.place).values()];
			history.backups.push({ ...backup, animals });
			return databaseOf(step.place);
		}
		case "restore": {
			const backup = nth(history.backups, step.number);
			if (backup !== undefined)
				await restore(world, history, step.place, backup);
			return databaseOf(step.place);
		}
	}
}

async function add(
	world: World,
	history: History,
	place: Place,
	pet: NewPet,
): Promise<void> {
	const { catalogue } = world.stores[place];
	const added = await catalogue.addPet({ pet });
	if (added.outcome !== "added") throw new Error(added.outcome);
	const found = await get(world, place, added.id);
	expectSame(petToJson(found), petToJson({ ...pet, id: added.id }));
	showNew(world, history, place, found);
}

async function change(
	world: World,
	history: History,
	place: Place,
	asked: readonly AskedChange[],
): Promise<void> {
	const animals = animalsAt(world, place);
	const changes = asked.map((one) => toChange(one, animals, history));
	const expected = predict(changes, animals);
	const { catalogue } = world.stores[place];
	const done = await catalogue.changePets(
		changes.map(({ petId, set, condition }) => ({ petId, set, condition })),
	);
	if (expected.outcome !== "changed") {
		expectSame(toText(done), toText(expected));
		return;
	}
	if (done.outcome !== "changed") throw new Error(toText(done));
	for (const [index, { petId }] of changes.entries()) {
		const found = done.pets[index];
		const pet = expected.pets.get(petId);
		expectSame(found && petToJson(found), pet && petToJson(pet));
	}
	for (const [petId, pet] of expected.pets) {
		if (pet === undefined) {
			animals.delete(petId);
			history.removed = petId;
			continue;
		}
		const found = done.pets[changes.findLastIndex(isOf(petId))];
		const known = animals.get(petId);
		if (found === undefined || known === undefined) throw new Error("missing");
		if (petToJson(known.pet) === petToJson(pet))
			expectSame(note(world, found), known.tag);
		else showNew(world, history, place, found);
	}
}

interface Change {
	readonly petId: bigint;
	readonly set: Partial<NewPet> | undefined;
	readonly condition: VersionCondition;
	readonly isFulfilled: boolean;
}

function toChange(
	{ number, set, condition, earlier }: AskedChange,
	animals: Animals,
	{ tags, removed }: History,
): Change {
	const petId = nth([...animals.keys(), removed], number) ?? removed;
	const { tag = '"1-1"', version = 1n } = animals.get(petId) ?? {};
	const old = nth(tags, earlier) ?? '"0-0"';
	const ifMatch = toCondition;
	const known: Readonly<
		Record<AskedChange["condition"], readonly [VersionCondition, boolean]>
	> = {
		none: [undefined, true],
		any: [ifMatch("*"), true],
		this: [ifMatch(tag), true],
		list: [ifMatch(`${old}, "x" ,${tag}`), true],
		version: [toVersionCondition(version), true],
		earlier: [ifMatch(`"x",${old}`), old === tag],
		weak: [ifMatch(`W/${tag}`), false],
		"another version": [toVersionCondition(version + 1n), false],
	};
	const [text, isFulfilled] = known[condition];
	return { petId, set, condition: text, isFulfilled };
}

type Prediction =
	| { readonly outcome: "changed"; pets: ReadonlyMap<bigint, Pet | undefined> }
	| Exclude<Changed, { outcome: "changed" }>
	| { readonly outcome: "differs"; readonly index: number; readonly pet: Pet };

/** The conditions are about the animals before all changes. */
function predict(changes: readonly Change[], animals: Animals): Prediction {
	const pets = new Map<bigint, Pet | undefined>();
	for (const [index, { petId, set, isFulfilled }] of changes.entries()) {
		const known = animals.get(petId)?.pet;
		const pet = pets.has(petId) ? pets.get(petId) : known;
		if (known === undefined || pet === undefined)
			return { outcome: "missing", index };
		if (!isFulfilled) return { outcome: "differs", index, pet: known };
		pets.set(petId, set && { ...pet, ...set });
	}
	return { outcome: "changed", pets };
}

function toText(result: Changed | Prediction): string {
	if (result.outcome === "changed") return "changed";
	const { outcome, index } = result;
	const shown = outcome === "differs" ? petToJson(result.pet) : "";
	return `${outcome} ${index} ${shown}`;
}

async function race(
	world: World,
	history: History,
	number: number,
): Promise<void> {
	const known = nth([...world.databases[0].values()], number);
	if (known === undefined) return;
	const condition = toCondition(known.tag);
	const petId = known.pet.id;
	const names = ["first", "second"].map((who) => `${who} ${known.tag}`);
	const results = await Promise.all(
		names.map((name, index) =>
			world.stores[index === 0 ? 0 : 1].catalogue.changePets([
				{ petId, set: { name }, condition },
			]),
		),
	);
	expectSame(
		results
			.map(({ outcome }) => outcome)
			.toSorted()
			.join(" "),
		"changed differs",
	);
	const found = await get(world, 0, petId);
	for (const result of results) {
		const shown = result.outcome === "changed" ? result.pets[0] : undefined;
		const pet = result.outcome === "differs" ? result.pet : shown;
		expectSame(pet && storedPetToJson(pet), storedPetToJson(found));
	}
	showNew(world, history, 0, found);
}

/** Requires the versions of the backup, and new ETags. */
async function restore(
	world: World,
	history: History,
	place: Place,
	{ path, animals: kept }: Backup,
): Promise<void> {
	const animals = animalsAt(world, place);
	await restoreBackup(world.stores[place], path, { replace: true });
	for (const id of animals.keys()) history.removed = id;
	animals.clear();
	for (const { pet, version } of kept) {
		const found = await get(world, place, pet.id);
		expectSame(petToJson(found), petToJson(pet));
		expectSame(`${found.version}`, `${version}`);
		showNew(world, history, place, found);
	}
	if (!animals.has(history.removed))
		expectSame(
			await world.stores[place].catalogue.getPet(history.removed),
			undefined,
		);
}

/** Requires that this process shows every animal as before. */
async function observe(world: World, place: Place): Promise<void> {
	for (const [id, { pet, tag }] of animalsAt(world, place)) {
		const found = await get(world, place, id);
		expectSame(petToJson(found), petToJson(pet));
		expectSame(note(world, found), tag);
	}
}

async function removeAll(world: World, place: Place): Promise<void> {
	const animals = animalsAt(world, place);
	const changes = [...animals.keys()].map((petId) => ({
		petId,
		set: undefined,
	}));
	await world.stores[place].catalogue.changePets(changes);
	animals.clear();
}

/** Requires that no animal ever had its ETag. */
function showNew(
	world: World,
	{ tags }: History,
	place: Place,
	found: FoundPet,
): void {
	const known = world.seen.size;
	const tag = note(world, found);
	if (world.seen.size === known) throw new Error(`${tag} was seen before.`);
	const { id, version } = found;
	const pet = { id, ...toContent(found) };
	animalsAt(world, place).set(id, { pet, version, tag });
	tags.push(tag);
}

/** Requires that the ETag has always stood for the same bytes. */
function note({ seen }: World, found: FoundPet): string {
	const { own, body } = toPetReply(found, petToJson);
	const operator = toPetReply(found, storedPetToJson);
	expectSame(operator.own.ETag, own.ETag);
	const bytes = `${body} ${operator.body}`;
	expectSame(seen.get(own.ETag) ?? bytes, bytes);
	seen.set(own.ETag, bytes);
	return own.ETag;
}

async function get(
	{ stores }: World,
	place: Place,
	id: bigint,
): Promise<FoundPet> {
	const found = await stores[place].catalogue.getPet(id);
	if (found === undefined) throw new Error(`There is no animal ${id}.`);
	return found;
}

function animalsAt({ databases }: World, place: Place): Animals {
	return databases[databaseOf(place)];
}

function databaseOf(place: Place): 0 | 1 {
	return place === 2 ? 1 : 0;
}

function isOf(petId: bigint): (change: Change) => boolean {
	return (change) => change.petId === petId;
}

function expectSame(actual: unknown, expected: unknown): void {
	if (actual !== expected) throw new Error(`${actual}, not ${expected}`);
}

function nth<Value>(
	values: readonly Value[],
	number: number,
): Value | undefined {
	return values[number % values.length];
}
