// Random histories of animals: no two contents have the same ETag. PROPERTY_RUNS=10 gives ten times as many.
import fc from "fast-check";
import { openStore } from "../../src/store/store.ts";
import { toPet } from "../harness/pet.ts";
import { inLaterTurns, newDatabase } from "../store/engines.ts";
import {
	type AskedChange,
	conditions,
	live,
	type Place,
	type Step,
	toWorld,
	type World,
} from "./histories.ts";
import { property } from "./property.ts";

/** In memory, both processes of a database are one. */
type Where = "memory" | "sqlite" | "postgres";

/** Registers a test of so many histories. */
function histories(where: Where, runs: number): void {
	let opened: Opened | undefined;
	let count = 0;
	async function close(): Promise<void> {
		await opened?.close();
		opened = undefined;
	}
	property(
		`gives no two contents the same ETag in ${runs} histories: ${where}`,
		runs,
		fc.asyncProperty(
			fc.array(steps(), { maxLength: 14, size: "max" }),
			async (history) => {
				// Databases remember the ids of all removed animals, so new ones are quicker.
				if (count++ % 100 === 0) await close();
				opened ??= await open(where);
				try {
					await live(opened.world, history);
				} catch (error) {
					await close();
					throw error;
				}
			},
		),
		close,
	);
}

interface Opened {
	readonly world: World;
	readonly close: () => Promise<void>;
}

async function open(where: Where): Promise<Opened> {
	if (where === "memory") {
		const [one, other] = [await openInMemory(), await openInMemory()];
		return {
			world: toWorld([one, one, other]),
			close: async () => {
				await one.close();
				await other.close();
			},
		};
	}
	const databases = [
		await newDatabase(where),
		await newDatabase(where),
	] as const;
	const [one, other] = databases;
	const stores = [
		inLaterTurns(await openStore(one.url, { access: "create" })),
		inLaterTurns(await openStore(one.url, { access: "create" })),
		await openStore(other.url, { access: "create" }),
	] as const;
	return {
		world: toWorld(stores),
		close: async () => {
			for (const store of stores) await store.close();
			for (const { remove } of databases) await remove();
		},
	};
}

function openInMemory() {
	return openStore("sqlite::memory:", { access: "create" });
}

function steps(): fc.Arbitrary<Step> {
	const place = fc.constantFrom<Place[]>(0, 1, 2);
	const number = fc.nat(9);
	return fc.oneof(
		{
			weight: 3,
			arbitrary: fc.record({ kind: fc.constant("add"), place, pet: pets }),
		},
		{
			weight: 6,
			arbitrary: fc.record({
				kind: fc.constant("change"),
				place,
				changes: fc.array(changes(), { minLength: 1, maxLength: 3 }),
			}),
		},
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant("race"), number }) },
		{
			weight: 2,
			arbitrary: fc.record({
				kind: fc.constant("backUp"),
				place,
			}),
		},
		{
			weight: 2,
			arbitrary: fc.record({ kind: fc.constant("restore"), place, number }),
		},
	);
}

/** Few values, so that animals often get a content again that they had. */
const name = fc.constantFrom("Rex", "Max", "Zoë \u{1f408}");
const categoryId = fc.constantFrom(1n, -(2n ** 63n));
const status = fc.constantFrom("available", "pending", "sold");
const pets = fc.record({ name, categoryId, status }).map(toPet);

function changes(): fc.Arbitrary<AskedChange> {
	return fc.record({
		number: fc.nat(9),
		set: fc.oneof(
			{
				weight: 5,
				arbitrary: fc.record(
					{ name, categoryId, status },
					{ requiredKeys: [] },
				),
			},
			{ weight: 1, arbitrary: fc.constant(undefined) },
		),
		condition: fc.constantFrom(...conditions),
		earlier: fc.nat(30),
	});
}

histories("memory", 250);
histories("sqlite", 60);
histories("postgres", 20);
