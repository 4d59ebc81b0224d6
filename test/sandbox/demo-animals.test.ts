// The demo animals are always the same, and each is one that a client could add.
import { describe, expect, test } from "bun:test";
import { hash } from "node:crypto";
import fc from "fast-check";
import { toWhole } from "../../src/domain/pet/pet.ts";
import { maxJsonDepth, parseJson } from "../../src/domain/types/json.ts";
import { toDemoPet, toDemoPets } from "../../src/sandbox/demo-animals.ts";
import { newPetType, petType, toNewPet } from "../../src/v1/pet.ts";
import { property } from "../properties/property.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();
const seeds = fc.maxSafeNat();

describe("Demo animals", () => {
	// These hashes must never change: tests of users compare with the animals.
	test.each([
		[{}, "336edf28"],
		[{ seed: 0 }, "81051140"],
		[{ seed: 42, pets: 5 }, "3201d439"],
		[{ seed: Number.MAX_SAFE_INTEGER, pets: 3_000 }, "c57d3a51"],
	])("gives a first list with a fixed hash for %j", async (start, expected) => {
		const { call } = sandbox();
		const body = JSON.stringify(start);
		await call("/sandbox/reset", { method: "POST", body });
		const list = await (await call("/v1/pets?limit=100")).text();
		expect(hash("sha256", list).slice(0, 8)).toBe(expected);
	});

	test("gives 10,000 animals with a fixed hash, and the first of them if fewer are asked for", async () => {
		const pets = [...toDemoPets(10_000, 7)];
		const all = hash("sha256", pets.map(petType.write).join(""));
		expect(all.slice(0, 8)).toBe("ae9ff32f");
		expect([...toDemoPets(10, 7)]).toEqual(pets.slice(0, 10));
	});

	property(
		"gives only animals that a client could add",
		500,
		fc.property(seeds, fc.integer({ min: 1, max: 1_000_000 }), (seed, id) => {
			const { id: assigned, ...pet } = toDemoPet(seed, id);
			expect(assigned).toBe(BigInt(id));
			const body = new TextEncoder().encode(newPetType.write(pet));
			expect(toWhole(toNewPet(parseJson(body, maxJsonDepth)))).toEqual(pet);
		}),
	);
});
