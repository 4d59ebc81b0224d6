// The demo animals: always the same, plausible, and with names that careless clients get wrong.
import { describe, expect, test } from "bun:test";
import { hash } from "node:crypto";
import fc from "fast-check";
import { petToJson, toNewPet } from "../../src/domain/pet.ts";
import {
	defaultStart,
	toDemoParts,
	toDemoPet,
} from "../../src/sandbox/demo-animals.ts";
import { property } from "../properties/property.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();
const seeds = fc.maxSafeNat();

async function petsOf(animals: number, seed: number) {
	const pets = [];
	for await (const part of toDemoParts({ pets: animals, seed }))
		if (part.kind === "pets") pets.push(...part.rows);
	return pets;
}

async function reset(start: object): Promise<void> {
	const body = JSON.stringify(start);
	await sandbox().call("/sandbox/reset", { method: "POST", body });
}

describe("Demo animals", () => {
	// These hashes must never change: tests of users compare with the animals.
	test.each([
		[{}, "b55380bd"],
		[{ seed: 0 }, "64e833af"],
		[{ seed: 42, pets: 5 }, "3201d439"],
		[{ seed: Number.MAX_SAFE_INTEGER, pets: 3_000 }, "46229ca5"],
	])("gives a first list with a fixed hash for %j", async (start, expected) => {
		await reset(start);
		const list = await (await sandbox().call("/v1/pets?limit=100")).text();
		expect(hash("sha256", list).slice(0, 8)).toBe(expected);
	});

	test("gives 10,000 animals with a fixed hash", async () => {
		const pets = await petsOf(10_000, 7);
		const all = hash("sha256", pets.map(petToJson).join(""));
		expect(all.slice(0, 8)).toBe("2031bcb5");
	});

	property(
		"gives the same animals for the same seed, and fewer are the first of more",
		50,
		fc.asyncProperty(
			fc.nat(2_500),
			fc.nat(2_500),
			seeds,
			async (one, other, seed) => {
				const [few, many] = [one, other].toSorted((a, b) => a - b);
				const pets = await petsOf(many ?? 0, seed);
				expect(pets).toHaveLength(many ?? 0);
				expect(await petsOf(few ?? 0, seed)).toEqual(pets.slice(0, few));
			},
		),
	);

	property(
		"gives only animals that a client could add",
		500,
		fc.property(seeds, fc.integer({ min: 1, max: 1_000_000 }), (seed, id) => {
			const { id: assigned, ...pet } = toDemoPet(seed, id);
			expect(assigned).toBe(BigInt(id));
			expect(toNewPet(pet)).toEqual(pet);
		}),
	);

	property(
		"gives other animals for other seeds",
		20,
		fc.asyncProperty(seeds, async (seed) => {
			const next = (seed + 1) % Number.MAX_SAFE_INTEGER;
			expect(await petsOf(50, next)).not.toEqual(await petsOf(50, seed));
		}),
	);
});

describe("the default animals", async () => {
	const pets = await petsOf(defaultStart.pets, defaultStart.seed);
	const share = (status: string) =>
		pets.filter((pet) => pet.status === status).length / pets.length;

	test("are mostly available, some pending, few sold", () => {
		expect(share("available")).toBeWithin(0.6, 0.8);
		expect(share("pending")).toBeWithin(0.1, 0.3);
		expect(share("sold")).toBeWithin(0.05, 0.15);
	});

	test("have a handful of categories, and some that a JavaScript number cannot hold", () => {
		const categories = new Set(pets.map(({ categoryId }) => categoryId));
		const [usual, odd] = [
			[...categories].filter((id) => id >= 1n && id <= 8n),
			[...categories].filter((id) => id > Number.MAX_SAFE_INTEGER),
		];
		expect(usual).toHaveLength(8);
		expect(odd).toContain(9007199254740993n);
	});

	test.each([
		["an accent", /é/],
		["an apostrophe", /'/],
		["a combining character", /\p{M}/u],
		["an emoji of several code points", /\p{Emoji}\u200d\p{Emoji}/u],
		["right-to-left text", /\p{Script=Arabic}/u],
		["markup", /<b>/],
		["a quote and a backslash", /".*\\/],
		["spaces around it", /^ .* $/],
		["more than 250 characters", /.{250}/],
	])("have a name with %s", (_what, pattern) => {
		expect(pets.some(({ name }) => pattern.test(name))).toBe(true);
	});

	test("show four odd names on the first page, and the newest is a usual one", () => {
		const page = pets.slice(-20);
		const odd = page.filter(({ name }) => !/^[A-Z][a-z]+$/.test(name));
		expect(odd).toHaveLength(4);
		expect(odd).not.toContain(page.at(-1));
	});
});
