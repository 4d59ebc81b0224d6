// Animals for operators: find, count, add and read them.

import { unavailable } from "../domain/errors.ts";
import {
	cursorOf,
	limitOf,
	maxPageSize,
	readStart,
	toCursor,
	toMaxId,
} from "../domain/pet/cursor.ts";
import { filters, type PetFilter } from "../domain/pet/filter.ts";
import type { StoredPet } from "../domain/pet/pet.ts";
import { givenPetType, storedPetType } from "../domain/pet/pet-types.ts";
import { list, object } from "../domain/types/object.ts";
import { anyText, int64 } from "../domain/types/scalar.ts";
import { optional } from "../domain/types/type.ts";
import { Answer } from "../interface/operation.ts";
import { operatorAnswerMs } from "../limits.ts";
import type { Found } from "../store/animals/search.ts";
import { sumOf } from "../store/edits/totals.ts";
import type { Store } from "../store/store.ts";
import { addOnce, readIdempotencyKey, toAddedHeaders } from "../v1/add.ts";
import { changePet, changePets, removePet } from "./change-pets.ts";
import { exportPets } from "./export-pets.ts";
import { importPets } from "./import-pets.ts";
import {
	type OperatorResource,
	operation,
	operatorPrefix,
	toAuthored,
	toEditHeader,
} from "./operation.ts";
import { missing, params, toAnswer, withAuthors } from "./pet.ts";

const findPets = operation({
	method: "GET",
	path: "/pets",
	summary: "Find animals",
	description:
		"One request searches for a limited time. While the reply has a `next`, the search can continue, even if nothing was found yet.",
	query: {
		...filters,
		limit: limitOf("animals"),
		cursor: cursorOf(
			"Where to continue: the `next` of an earlier reply, for use with the same `status`, `categoryId`, `name` and `id`.",
		),
	},
	reply: object("FoundPets", "Animals that were found.", {
		pets: list(storedPetType, maxPageSize),
		next: optional(anyText("The `cursor` to continue.", toCursor(2n, {}))),
	}),
	command: { help: "The newest come first." },
	async handle({ limit, cursor, ...filter }, { store, running }) {
		const resets = running?.resets?.();
		const maxId = readStart(cursor, filter, resets);
		// No request waits for a command, so it may take its time.
		const isLimited = running !== undefined;
		const search = { filter, limit, maxId, isLimited };
		const { pets, lastId } = await store.catalogue.findPets(search);
		const next = lastId && toCursor(lastId, filter, resets);
		return { pets: await withAuthors(store, pets), next };
	},
});

const countPets = operation({
	method: "GET",
	path: "/pets/count",
	summary: "Count animals",
	description:
		"An exact number. By `name`, it looks at the animals, for at most 2 seconds.",
	query: filters,
	reply: object("PetCount", "A number of animals.", {
		pets: int64("Number of animals.", 0n),
	}),
	command: { prints: "pets", help: "An exact number." },
	async handle(filter, { store, running }) {
		const { status, categoryId, name = "", id } = filter;
		if (name !== "" || id !== undefined)
			return { pets: await countFound(store, filter, running !== undefined) };
		const totals = await store.catalogue.readTotals(categoryId);
		return { pets: BigInt(status ? totals[status] : sumOf(totals)) };
	},
});

const addPet = operation({
	method: "POST",
	path: "/pets",
	summary: "Add an animal",
	description:
		"Like `createPet` of the interface of the catalogue, including its `Idempotency-Key`, but as an edit, which can be undone.",
	body: givenPetType,
	reply: storedPetType,
	status: 201,
	headers: ["Location", "Idempotency-Replayed", "Edit-Id"],
	located: "readPet",
	errors: ["invalid_parameter", "idempotency_mismatch", "ids_exhausted"],
	command: {
		prints: "id",
		creates: true,
		help: "In a pipe only its id is printed.",
	},
	guard({ request }) {
		readIdempotencyKey(request.headers);
	},
	async handle(pet, { store }, { request, identity }) {
		const key = readIdempotencyKey(request.headers);
		const authored = toAuthored(identity);
		const added = await addOnce(store.catalogue, pet, identity, key, authored);
		const { id, at, by } = added;
		const origin = { addedAt: BigInt(at), addedBy: by };
		const stored: StoredPet = { ...pet, id, version: id, ...origin };
		const [named] = await withAuthors(store, [stored]);
		// An add over `/v1` with the same Idempotency-Key made no edit.
		const edit = await store.edits.find(id);
		return new Answer(named, {
			...toAddedHeaders(operatorPrefix, added),
			...toEditHeader(edit?.id),
		});
	},
});

const readPet = operation({
	method: "GET",
	path: "/pets/{petId}",
	summary: "Get an animal",
	description: "Its `ETag` is for the `If-Match` of a change.",
	params,
	missing,
	reply: storedPetType,
	headers: ["ETag"],
	command: { help: "With its version, and who added it." },
	async handle({ petId }, { store }) {
		return toAnswer(store, await store.catalogue.getPet(petId));
	},
});

/** Reads the animals in pages. */
async function countFound(
	{ catalogue }: Store,
	filter: PetFilter,
	isLimited: boolean,
): Promise<bigint> {
	const deadline = performance.now() + operatorAnswerMs;
	let count = 0;
	for (let maxId: bigint | undefined = toMaxId(); maxId !== undefined; ) {
		if (isLimited && performance.now() > deadline)
			throw unavailable("There are too many animals to count them by name.");
		const search = { filter, limit: maxCounted, maxId, isLimited };
		const { pets, lastId }: Found = await catalogue.findPets(search);
		count += pets.length;
		maxId = lastId && toMaxId(lastId);
	}
	return BigInt(count);
}

/** Animals that are counted at once. */
const maxCounted = 1_000;

export const pets: OperatorResource = {
	tag: "pets",
	description: "The animals: find, add, change and remove them.",
	operations: {
		findPets,
		countPets,
		addPet,
		readPet,
		changePet,
		removePet,
		changePets,
		exportPets,
		importPets,
	},
};
