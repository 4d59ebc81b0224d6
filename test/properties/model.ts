// A model of the catalogue in plain data. It answers each call as the service must, given the calls before it.

import type {
	GivenPet,
	NumberedPet,
	PetStatus,
} from "../../src/domain/pet/pet.ts";
import { toVersionCondition } from "../../src/domain/version.ts";
import type { Changed, PetChange } from "../../src/store/animals/change.ts";
import { petType } from "../../src/v1/pet.ts";

export interface Model {
	/** Newest first. */
	readonly pets: readonly VersionedPet[];
	/** The highest assigned id or version, even of a removed animal. */
	readonly lastId: bigint;
	/** The animal that was added with each Idempotency-Key, by client and key. */
	readonly idempotent: ReadonlyMap<string, NumberedPet>;
	/** The place in the list that each cursor stands for. */
	readonly cursors: ReadonlyMap<string, Place>;
}

export interface VersionedPet extends NumberedPet {
	readonly version: bigint;
}

interface Place {
	readonly below?: bigint | undefined;
	readonly status: PetStatus | undefined;
}

export const emptyModel: Model = {
	pets: [],
	lastId: 0n,
	idempotent: new Map(),
	cursors: new Map(),
};

export const clients = ["shop", "partner"] as const;
export type Client = (typeof clients)[number];

export type Call = { readonly client: Client; readonly copy: Copy } & (
	| ListPets
	| CreatePet
	| GetPet
	| ChangePets
);

/** Which of the two services on the database is called. */
export type Copy = 0 | 1;

export interface ListPets {
	readonly operation: "listPets";
	readonly limit: number;
	readonly status: PetStatus | undefined;
	readonly cursor: string | undefined;
}

export interface CreatePet {
	readonly operation: "createPet";
	readonly body: string;
	/** The value of the body. */
	readonly pet: GivenPet;
	readonly idempotencyKey: string | undefined;
}

export interface GetPet {
	readonly operation: "getPet";
	readonly petId: bigint;
}

/** Not a call of the interface, but of the store of the service. */
export interface ChangePets {
	readonly operation: "changePets";
	readonly changes: readonly PetChange[];
}

/** The compared parts of a reply. A refusal has its code; test/service.ts compares the code with the status. */
export type Reply =
	| { readonly refused: string }
	| { readonly pets: string; readonly more: boolean }
	| { readonly added: string; readonly replayed: boolean }
	| { readonly got: string; readonly version: bigint }
	/** For each change: its animal after all of them, or `removed`. */
	| { readonly changed: readonly string[] };

/** The choices of the service. */
export interface Choice {
	readonly newId?: bigint | undefined;
	readonly newCursor?: string | undefined;
	/** By animal. */
	readonly newVersions?: ReadonlyMap<bigint, bigint>;
}

export interface Exchange {
	readonly call: Call;
	readonly reply: Reply;
	readonly choice: Choice;
}

/** The model after calls that were made at the same time, or undefined if no order of the calls explains every reply. */
export function explain(
	model: Model,
	exchanges: readonly Exchange[],
	lastId = model.lastId,
): Model | undefined {
	if (exchanges.length === 0) return model;
	for (const [index, exchange] of exchanges.entries()) {
		const next = answer(model, exchange, lastId);
		if (!Bun.deepEquals(next.reply, exchange.reply)) continue;
		const others = exchanges.toSpliced(index, 1);
		const explained = explain(next.model, others, lastId);
		if (explained !== undefined) return explained;
	}
	return undefined;
}

interface Answer {
	readonly reply: Reply;
	readonly model: Model;
}

/** A new id or version must be above `lastId`, the highest when the call was made. */
export function answer(
	model: Model,
	{ call, choice }: Omit<Exchange, "reply">,
	lastId = model.lastId,
): Answer {
	switch (call.operation) {
		case "changePets":
			return changePets(model, call, choice, lastId);
		case "listPets":
			return listPets(model, call, choice);
		case "createPet":
			return createPet(model, call, choice, lastId);
		case "getPet":
			return getPet(model, call);
	}
}

function listPets(
	model: Model,
	{ limit, status, cursor }: ListPets,
	{ newCursor = "none" }: Choice,
): Answer {
	const below = model.cursors.get(cursor ?? "")?.below;
	const found = model.pets.filter(
		(pet) =>
			(status === undefined || pet.status === status) &&
			(below === undefined || pet.id < below),
	);
	const page = found.slice(0, limit);
	const more = found.length > page.length;
	const next = new Map(model.cursors);
	if (more) next.set(newCursor, { below: page.at(-1)?.id, status });
	return {
		reply: { pets: `[${page.map(toJson).join(",")}]`, more },
		model: { ...model, cursors: next },
	};
}

function createPet(
	model: Model,
	{ client, pet, idempotencyKey }: CreatePet & { client: Client },
	{ newId }: Choice,
	lastId: bigint,
): Answer {
	const owned = `${client} ${idempotencyKey}`;
	const earlier = model.idempotent.get(owned);
	if (earlier !== undefined) {
		const again = toJson({ ...pet, id: earlier.id });
		if (again !== toJson(earlier)) return refuse(model, "idempotency_mismatch");
		return { reply: { added: again, replayed: true }, model };
	}
	if (newId === undefined || newId <= lastId || isUsed(model, newId))
		return refuse(model, `none: the new id must be above ${lastId}`);
	const added = { ...pet, id: newId, version: newId };
	return {
		reply: { added: toJson(added), replayed: false },
		model: {
			...model,
			pets: [added, ...model.pets].toSorted((a, b) => (a.id < b.id ? 1 : -1)),
			lastId: newId > model.lastId ? newId : model.lastId,
			idempotent:
				idempotencyKey === undefined
					? model.idempotent
					: new Map(model.idempotent).set(owned, added),
		},
	};
}

function getPet(model: Model, { petId }: GetPet): Answer {
	const pet = model.pets.find(({ id }) => id === petId);
	return pet === undefined
		? refuse(model, "not_found")
		: { reply: { got: toJson(pet), version: pet.version }, model };
}

/** The conditions are about the animals before all changes. An animal that they change gets a new version. */
function changePets(
	before: Model,
	{ changes }: ChangePets,
	{ newVersions = new Map() }: Choice,
	lastId: bigint,
): Answer {
	const changed = new Map<bigint, VersionedPet | undefined>();
	for (const [index, { petId, set, condition }] of changes.entries()) {
		const known = before.pets.find(({ id }) => id === petId);
		const pet = changed.has(petId) ? changed.get(petId) : known;
		if (known === undefined || pet === undefined)
			return refuse(before, `missing ${index}`);
		if (
			condition !== undefined &&
			condition !== toVersionCondition(known.version)
		)
			return refuse(before, `differs ${index}: ${toVersionedJson(known)}`);
		changed.set(petId, set && { ...pet, ...set });
	}
	let model = before;
	for (const [petId, pet] of changed) {
		const place = model.pets.findIndex(({ id }) => id === petId);
		const known = model.pets[place];
		const isSame = pet && known && toJson(pet) === toJson(known);
		const version = isSame ? pet.version : (newVersions.get(petId) ?? 0n);
		if (pet && !isSame && (version <= lastId || isUsed(model, version)))
			return refuse(before, `none: the version must be above ${lastId}`);
		const after = pet === undefined ? [] : [{ ...pet, version }];
		model = {
			...model,
			pets: model.pets.toSpliced(place, 1, ...after),
			lastId: version > model.lastId ? version : model.lastId,
		};
	}
	const left = changes.map(({ petId }) =>
		model.pets.find(({ id }) => id === petId),
	);
	return { reply: { changed: left.map(toResult) }, model };
}

function isUsed({ pets }: Model, number: bigint): boolean {
	return pets.some(({ id, version }) => id === number || version === number);
}

function refuse(model: Model, refused: string): Answer {
	return { reply: { refused }, model };
}

/** The compared parts of the result of changePets. */
export function toChangedReply(changed: Changed): Reply {
	switch (changed.outcome) {
		case "missing":
			return { refused: `missing ${changed.index}` };
		case "differs":
			return {
				refused: `differs ${changed.index}: ${toVersionedJson(changed.pet)}`,
			};
		case "changed":
			return { changed: changed.pets.map(toResult) };
	}
}

/** The versions that an engine has given the animals of a call. */
export function toNewVersions(changed: Changed): Map<bigint, bigint> {
	const pets = changed.outcome === "changed" ? changed.pets : [];
	return new Map(pets.flatMap((pet) => (pet ? [[pet.id, pet.version]] : [])));
}

function toResult(pet: VersionedPet | undefined): string {
	return pet === undefined ? "removed" : toVersionedJson(pet);
}

function toVersionedJson(pet: VersionedPet): string {
	return `${toJson(pet)} ${pet.version}`;
}

/** By the fields; the service writes an animal by hand. */
const toJson = (pet: NumberedPet) => petType.write(pet);
