// A walk through the pages of a list, by cursor, while animals are added, changed and removed.
import { describe, expect } from "bun:test";
import fc from "fast-check";
import { type PetStatus, petStatuses } from "../../src/domain/pet.ts";
import type { PetChange } from "../../src/store/changes.ts";
import { add, idOf, type Service } from "../service.ts";
import { property, withService, withTwoServices } from "./property.ts";

describe.each([
	["sqlite", 40],
	["postgres", 8],
] as const)("%s", (engine, runs) => {
	property(
		"shows each earlier animal exactly once in a walk that starts while animals are added, newest first",
		runs,
		fc.asyncProperty(walks(), ({ before, bursts, ...list }) =>
			withService(engine, async (service) => {
				const there = await addAll(service, before);
				const seen = await walk(service, list, (page) =>
					addAll(service, bursts[page] ?? []),
				);
				const ids = new Set(there.map(({ id }) => id));
				expect(seen.filter((id) => ids.has(id))).toEqual(
					newestFirst(there, list.status),
				);
				expect(seen).toEqual([...new Set(seen)].toSorted(descending));
			}),
		),
	);

	property(
		"shows each animal that keeps its status exactly once in a walk while another service changes and removes animals",
		runs,
		fc.asyncProperty(changingWalks(), ({ before, changes, ...list }) =>
			withTwoServices(engine, async ([service, other]) => {
				const there = await addAll(service, before);
				const seen = await walk(service, list, (page) =>
					change(other, there, changes[page] ?? []),
				);
				const left = new Set(
					changes
						.flat()
						.filter(isLeaving)
						.map(({ number }) => number),
				);
				const stayed = there.filter((_, number) => !left.has(number));
				const ids = new Set(stayed.map(({ id }) => id));
				expect(seen.filter((id) => ids.has(id))).toEqual(
					newestFirst(stayed, list.status),
				);
				expect(seen).toEqual([...new Set(seen)].toSorted(descending));
			}),
		),
	);
});

interface List {
	readonly limit: number;
	readonly status: PetStatus | undefined;
}

interface Walk extends List {
	readonly before: readonly PetStatus[];
	/** The animals to add while each page is read. */
	readonly bursts: readonly (readonly PetStatus[])[];
}

function walks(): fc.Arbitrary<Walk> {
	const status = fc.constantFrom(...petStatuses);
	return fc.record({
		limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(100)),
		status: fc.option(status, { nil: undefined }),
		before: fc.array(status, { maxLength: 30, size: "max" }),
		bursts: fc.array(fc.array(status, { maxLength: 5, size: "max" }), {
			maxLength: 10,
			size: "max",
		}),
	});
}

interface Change {
	/** The number of the animal among the first ones. */
	readonly number: number;
	readonly set: PetChange["set"];
}

interface ChangingWalk extends List {
	readonly before: readonly PetStatus[];
	/** The changes while each page is read. */
	readonly changes: readonly (readonly Change[])[];
}

function changingWalks(): fc.Arbitrary<ChangingWalk> {
	const change = fc.record({
		number: fc.nat(29),
		set: fc.oneof(
			fc.constant({ name: "y" }),
			fc.constantFrom(...petStatuses).map((status) => ({ status })),
			fc.constant(undefined),
		),
	});
	return fc
		.tuple(
			walks(),
			fc.array(fc.array(change, { maxLength: 5, size: "max" }), {
				maxLength: 15,
				size: "max",
			}),
		)
		.map(([{ bursts: _, ...walk }, changes]) => ({ ...walk, changes }));
}

/** More pages than there can be animals. */
const maxPages = 100;

interface Added {
	readonly id: bigint;
	readonly status: PetStatus;
}

/** Adds all at the same time, so that the order of the ids and the batches vary. */
function addAll(
	service: Service,
	statuses: readonly PetStatus[],
): Promise<Added[]> {
	return Promise.all(
		statuses.map(async (status) => {
			const body = `{"name":"x","categoryId":1,"status":"${status}"}`;
			return { id: idOf(await add(service, body)), status };
		}),
	);
}

async function walk(
	service: Service,
	{ limit, status }: List,
	meanwhile: (page: number) => Promise<unknown>,
): Promise<bigint[]> {
	const seen: bigint[] = [];
	const filter = status === undefined ? "" : `&status=${status}`;
	let next: string | undefined = `/v1/pets?limit=${limit}${filter}`;
	for (let page = 0; next !== undefined; page++) {
		if (page === maxPages) throw new Error("The walk does not end.");
		const listing: Promise<Response> = service.call(next);
		const [reply] = await Promise.all([listing, meanwhile(page)]);
		for (const [, id = ""] of (await reply.text()).matchAll(/\{"id":(\d+),/g))
			seen.push(BigInt(id));
		const link = reply.headers.get("Link") ?? "";
		next = /^<([^>]*)>; rel="next"$/.exec(link)?.[1];
	}
	return seen;
}

/** Some of the changes may concern animals that were removed before. */
function change(
	{ store }: Service,
	pets: readonly Added[],
	changes: readonly Change[],
): Promise<unknown> {
	return Promise.all(
		changes.map(({ number, set }) => {
			const petId = pets[number]?.id ?? 0n;
			return store.catalogue.changePets([{ petId, set }]);
		}),
	);
}

/** Whether the animal may be missing from a list after it. */
function isLeaving({ set }: Change): boolean {
	return set?.name === undefined;
}

function newestFirst(
	added: readonly Added[],
	filter: PetStatus | undefined,
): bigint[] {
	return added
		.filter(({ status }) => filter === undefined || status === filter)
		.map(({ id }) => id)
		.toSorted(descending);
}

function descending(left: bigint, right: bigint): number {
	return left < right ? 1 : -1;
}
