// A map whose keys are secrets.
import { expect, test } from "bun:test";
import { createSecretMap } from "../../src/auth/lookup-cache.ts";

test("finds a value only by the whole secret, until it is deleted", () => {
	const map = createSecretMap<number>(10);
	map.set("pet_secret", 1);
	expect(map.get("pet_secret")).toBe(1);
	for (const other of ["", "pet_secre", "pet_secret ", "pet_secreT"])
		expect(map.get(other)).toBeUndefined();
	map.delete("pet_secret");
	expect(map.get("pet_secret")).toBeUndefined();
});

test("does not confuse two secrets with the same hash", () => {
	const map = createSecretMap<number>(Number.POSITIVE_INFINITY);
	// Of 300,000 random texts about ten have the 32-bit hash of another one, whatever the seed is. Of numbered ones often none has.
	const texts = Array.from({ length: 300_000 }, () => crypto.randomUUID());
	for (const [index, text] of texts.entries()) map.set(text, index);
	const found = texts.map((text) => map.get(text));
	expect(
		found.filter((value, index) => value !== undefined && value !== index),
	).toEqual([]);
	expect(found.filter((value) => value === undefined).length).toBeLessThan(100);
});

test("removes the other secrets when one more does not fit", () => {
	const map = createSecretMap<number>(2);
	map.set("a", 1);
	map.set("b", 2);
	map.set("c", 3);
	expect(["a", "b", "c"].map(map.get)).toEqual([undefined, undefined, 3]);
});
