// The validator and the writer of /v1 are written by hand. They must do what the record of fields says.
import { describe, expect, test } from "bun:test";
import naughty from "big-list-of-naughty-strings";
import fc from "fast-check";
import { Failure } from "../../src/domain/errors.ts";
import {
	fields,
	givenNames,
	petNames,
	type StoredPet,
	toContent,
} from "../../src/domain/pet/pet.ts";
import {
	givenPetType,
	petPatchType,
	storedPetType,
} from "../../src/domain/pet/pet-types.ts";
import {
	maxInt64,
	maxJsonDepth,
	minInt64,
	parseJson,
	parseText,
} from "../../src/domain/types/json.ts";
import { object } from "../../src/domain/types/object.ts";
import { newPetType, type Pet, petType, toNewPet } from "../../src/v1/pet.ts";
import { toPet } from "../harness/pet.ts";
import { documents } from "../properties/newpet-documents.ts";

/** Valid values of a field. */
function toValues(name: keyof StoredPet): readonly (bigint | string | null)[] {
	const { schema } = fields[name].type;
	const values =
		schema.type === "object"
			? [null, "7", "link", "link:Tom", "command line"]
			: [null, ...(schema.enum ?? ofFormat(schema.format))];
	return values.filter((value) =>
		value === null ? fields[name].isOptional : isValid(name, value),
	);
}

function ofFormat(format = "text"): readonly (bigint | string)[] {
	if (format === "date-time") return [1n, BigInt(Date.UTC(9999, 0))];
	if (format === "int64") return [1n, 2n ** 53n + 1n, maxInt64, minInt64];
	return format === "date" ? ["2024-02-29", "0001-01-01"] : naughty;
}

function isValid(name: keyof StoredPet, value: bigint | string): boolean {
	const { type } = fields[name];
	const broken: string[] = [];
	type.read(parseText(type.write(value), 1), name, broken);
	return broken.length === 0;
}

/** Each value of each field at least once. */
const pets: readonly StoredPet[] = Array.from({ length: 600 }, (_, index) => {
	const members = petNames.map((name) => {
		const values = toValues(name);
		return [name, values[index % values.length]];
	});
	return Object.fromEntries(members);
});

test("the writer for clients gives what the members say", () => {
	const { write } = object("", "", petType.members);
	for (const pet of pets) expect(petType.write(pet)).toBe(write(pet));
});

test("what is written is read back", () => {
	for (const pet of pets) {
		const broken: string[] = [];
		const json = parseText(storedPetType.write(pet), 2);
		expect(storedPetType.read(json, "", broken)).toEqual(pet);
		const given = toContent(pet);
		const sent = parseText(givenPetType.write(given), 2);
		expect(givenPetType.read(sent, "", broken)).toEqual(given);
		expect(broken).toEqual([]);
	}
});

test("the validator accepts and refuses what the fields say, in the same words", () => {
	fc.assert(
		fc.property(documents(), ({ text }) => {
			const value = parseJson(new TextEncoder().encode(text), maxJsonDepth);
			const broken: string[] = [];
			const read = newPetType.read(value, "", broken);
			const expected = broken.length > 0 ? broken.join(" ") : read;
			expect(toNewPetOrWords(value)).toEqual(expected);
		}),
		{ numRuns: 2_000 },
	);
});

function toNewPetOrWords(value: unknown): object | string {
	try {
		return toNewPet(value);
	} catch (error) {
		if (error instanceof Failure) return error.message;
		throw error;
	}
}

test("the order of the members is promised", () => {
	const pet: Pet = toPet({ id: 1n, name: '"', categoryId: -1n });
	expect(petType.write(pet)).toBe(
		'{"id":1,"name":"\\"","categoryId":-1,"status":"available"}',
	);
});

describe("a patch", () => {
	const read = (json: unknown, path = "") => {
		const broken: string[] = [];
		const patch = petPatchType.read(json, path, broken);
		return broken.length > 0 ? broken : patch;
	};

	test("has only the members that change", () => {
		const given = { status: "sold", unknown: 1n };
		expect(Object.keys(read(given))).toEqual(["status"]);
	});

	test("names each broken rule with its path, and null where a member must stay", () => {
		expect(read([], "changes[0].set")).toEqual([
			"changes[0].set must be a JSON object.",
		]);
		const required = givenNames.filter((name) => !fields[name].isOptional);
		const nulls = Object.fromEntries(givenNames.map((name) => [name, null]));
		expect(read(nulls, "set")).toEqual(
			required.map((name) => expect.stringContaining(`set.${name} must be`)),
		);
	});

	test("clears what may be absent, and is written back", () => {
		for (const name of givenNames) {
			const patch = {
				[name]: fields[name].isOptional ? null : toPet({})[name],
			};
			const json = parseText(petPatchType.write(patch), 2);
			expect(read(json)).toEqual(patch);
		}
	});
});

test("a table shows an author by name and key", () => {
	expect(fields.addedBy.type.toText("2:op")).toBe("op (key 2)");
});
