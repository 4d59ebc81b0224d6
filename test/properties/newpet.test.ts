// Compares the validator of NewPet with the published schema, as Ajv applies it, on generated JSON documents.
import { describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import openapi from "../../openapi.json" with { type: "json" };
import { Failure } from "../../src/domain/errors.ts";
import { isDay } from "../../src/domain/time.ts";
import { maxJsonDepth, parseJson } from "../../src/domain/types/json.ts";
import { type NewPet, toNewPet } from "../../src/v1/pet.ts";
import { documents } from "./newpet-documents.ts";
import { property } from "./property.ts";

const ajv = new Ajv2020({
	keywords: ["components"],
	formats: {
		date: isDay,
		int64: {
			type: "number",
			validate: (value: number) => value >= -(2 ** 63) && value < 2 ** 63,
		},
	},
});

const isNewPet = ajv.compile<NewPet>({
	$ref: "#/components/schemas/NewPet",
	components: openapi.components,
});

describe("the validator of NewPet", () => {
	property(
		"accepts exactly the documents that the schema accepts, except names with a lone surrogate",
		2_000,
		fc.property(documents(), ({ text, standIn }) => {
			expect(verdict(text)).toEqual(expectedVerdict(standIn));
		}),
	);

	test("is tested with many valid and many invalid documents", () => {
		const accepted = fc
			.sample(documents(), { numRuns: 1_000, seed: 1 })
			.filter(({ standIn }) => expectedVerdict(standIn) !== "refused");
		expect(accepted.length).toBeGreaterThan(150);
		expect(accepted.length).toBeLessThan(850);
	});
});

/** Without numbers, since the stand-ins do not have their digits. test/properties/json.test.ts tests them. */
type Verdict = "refused" | Pick<NewPet, "name" | "status">;

function expectedVerdict(standIn: string): Verdict {
	const value: unknown = JSON.parse(standIn);
	return !isNewPet(value) || /\p{Surrogate}/u.test(value.name)
		? "refused"
		: toTexts({ ...value, status: value.status ?? "available" });
}

function verdict(text: string): Verdict {
	const value = parseJson(new TextEncoder().encode(text), maxJsonDepth);
	try {
		return toTexts(toNewPet(value));
	} catch (error) {
		if (error instanceof Failure && error.code === "invalid_body")
			return "refused";
		throw error;
	}
}

function toTexts({ name, status }: NewPet): Verdict {
	return { name, status };
}
