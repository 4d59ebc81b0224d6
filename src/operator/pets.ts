// Animals for operators: find, count, add and read them.
import {
	cursorOf,
	limitOf,
	maxPageSize,
	readStart,
	toCursor,
	toMaxId,
} from "../domain/cursor.ts";
import { unavailable } from "../domain/errors.ts";
import { filters, type PetFilter } from "../domain/filter.ts";
import { list, object } from "../domain/object.ts";
import type { StoredPet } from "../domain/pet.ts";
import { newPetType, storedPetType } from "../domain/pet-types.ts";
import { anyText, int64 } from "../domain/scalar.ts";
import { optional } from "../domain/type.ts";
import { Answer } from "../interface/operation.ts";
import { operatorAnswerMs } from "../limits.ts";
import type { Found } from "../store/search.ts";
import type { Store } from "../store/store.ts";
import { addOnce, readIdempotencyKey, toAddedHeaders } from "../v1/add.ts";
import { changePet, changePets, removePet } from "./change-pets.ts";
import { exportPets } from "./export-pets.ts";
import { importPets } from "./import-pets.ts";
import {
	type OperatorResource,
	operation,
	operatorPrefix,
	sumOf,
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
		const epoch = running?.epoch?.();
		const maxId = readStart(cursor, filter, epoch);
		// No request waits for a command, so it may take its time.
		const isLimited = running !== undefined;
		const search = { filter, limit, maxId, isLimited };
		const { pets, lastId } = await store.catalogue.findPets(search);
		const next = lastId && toCursor(lastId, filter, epoch);
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
		const counts = await store.catalogue.readCounts();
		const pets = counts.filter(
			(one) =>
				one.status === (status ?? one.status) &&
				one.categoryId === (categoryId ?? one.categoryId),
		);
		return { pets: BigInt(sumOf(pets)) };
	},
});

const addPet = operation({
	method: "POST",
	path: "/pets",
	summary: "Add an animal",
	description:
		"Like `createPet` of the interface of the catalogue, including its `Idempotency-Key`.",
	body: newPetType,
	reply: storedPetType,
	status: 201,
	headers: ["Location", "Idempotency-Replayed"],
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
		const added = await addOnce(store.catalogue, pet, identity, key);
		const { id, at, by } = added;
		const origin = { addedAt: BigInt(at), addedBy: by };
		const stored: StoredPet = { ...pet, id, version: id, ...origin };
		const [named] = await withAuthors(store, [stored]);
		return new Answer(named, toAddedHeaders(operatorPrefix, added));
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
const maxCounted = 10_000;

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
