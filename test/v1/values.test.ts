// Numbers, strings and JSON: a value is returned unchanged or refused.
import { describe, expect, test } from "bun:test";
import {
	add,
	expectError,
	idOf,
	onEachService,
	type Service,
	titled,
} from "../service.ts";
import { listPets } from "../store/engines.ts";

onEachService((service) => {
	describe("int64 in JSON", () => {
		test.each([
			"9007199254740993",
			"-9007199254740993",
			"9223372036854775807",
			"-9223372036854775808",
		])("keeps every digit of %s", async (number) => {
			const pet = await add(service(), `{"name":"x","categoryId":${number}}`);
			expect(pet).toContain(`"categoryId":${number},`);
			const read = await service().call(`/v1/pets/${idOf(pet)}`);
			expect(await read.text()).toBe(pet);
		});
	});

	describe("Which JSON numbers are integers", () => {
		test.each([
			["1.0", "1"],
			["1e2", "100"],
			["1E+2", "100"],
			["10e-1", "1"],
			["1.5e1", "15"],
			["-0", "0"],
			["-0.0e5", "0"],
			["0e999999999999", "0"],
			["9223372036854775807.0", "9223372036854775807"],
			["922337203685477580.7e1", "9223372036854775807"],
		])("reads %s as the integer %s", async (numeral, value) => {
			const pet = await add(service(), `{"name":"x","categoryId":${numeral}}`);
			expect(pet).toContain(`"categoryId":${value},`);
		});
		test("accepts an integer even if it is written with 30,000 digits", async () => {
			const zeros = "0".repeat(30_000);
			for (const numeral of [`7${zeros}e-30000`, `0.${zeros}7e30001`]) {
				const body = `{"name":"x","categoryId":${numeral}}`;
				expect(await add(service(), body)).toContain('"categoryId":7,');
			}
		});
		test.each(
			titled(["1e1000000000", "1e-1000000000", `1${"0".repeat(60_000)}1e9`]),
		)("refuses %s without computing its value", async (_title, numeral) => {
			const start = performance.now();
			await refuse(
				service(),
				`{"name":"x","categoryId":${numeral}}`,
				/^categoryId/,
			);
			expect(performance.now() - start).toBeLessThan(10_000);
		});
	});

	describe("Outside int64, fractions, strings, booleans, null", () => {
		test.each([
			"9223372036854775808",
			"-9223372036854775809",
			"1e19",
			"1.5",
			"10e-2",
			'"1"',
			"true",
			"null",
			"[1]",
			"{}",
		])("refuses the categoryId %s", async (value) => {
			await refuse(
				service(),
				`{"name":"x","categoryId":${value}}`,
				/^categoryId must be a whole number from -9223372036854775808 to 9223372036854775807\.$/,
			);
		});
	});

	describe("`name`", () => {
		test.each(
			titled([
				"",
				" ",
				"  Rex\t",
				"e\u0301 \u00e9",
				"\ufb01",
				"😀 👩‍👩‍👧",
				"\ufeff",
				"\u2028",
				"\u0001",
				"\"\\/<>&'",
				"'; DROP TABLE pets; --",
				"x".repeat(60_000),
			]),
		)("keeps the name %s", async (_title, name) => {
			const pet = await add(service(), JSON.stringify({ name, categoryId: 1 }));
			expect(JSON.parse(pet).name).toBe(name);
			const read = await service().call(`/v1/pets/${idOf(pet)}`);
			expect(await read.text()).toBe(pet);
		});
		test.each(["1", "null", "true", "[]", "{}"])(
			"refuses the name %s",
			async (value) => {
				await refuse(
					service(),
					`{"name":${value},"categoryId":1}`,
					/name must be a string/,
				);
			},
		);
	});

	describe("U+0000 in a name, a lone surrogate, malformed UTF-8", () => {
		test.each([
			["U+0000", '{"name":"a\\u0000b","categoryId":1}', /^name .*U\+0000/],
			[
				"a high surrogate",
				'{"name":"\\ud83d","categoryId":1}',
				/^name .*surrogate/,
			],
			[
				"a low surrogate",
				'{"name":"x\\ude00","categoryId":1}',
				/^name .*surrogate/,
			],
		])("refuses a name with %s", async (_what, body, message) => {
			await refuse(service(), body, message);
		});
		test.each(["ff", "c080", "eda080", "e282", "f5808080"])(
			"refuses a name with the bytes %s",
			async (bytes) => {
				const before = Buffer.from('{"categoryId":1,"name":"');
				const after = Buffer.from('"}');
				const body = Buffer.concat([before, Buffer.from(bytes, "hex"), after]);
				await refuse(
					service(),
					new Uint8Array(body),
					/UTF-8; byte 25 is not part of a UTF-8 character\.$/,
				);
			},
		);
		test.each([
			["ff", 1],
			// After a byte order mark and a quote.
			["efbbbf22e282", 5],
			// After a valid U+FFFD, the beginning of another one.
			["efbfbdefbf", 4],
		])("refuses the bytes %s, and names byte %d", async (bytes, number) => {
			await refuse(
				service(),
				new Uint8Array(Buffer.from(bytes, "hex")),
				new RegExp(`; byte ${number} is not`),
			);
		});
	});

	describe("Unknown members", () => {
		test("neither stores nor returns unknown members", async () => {
			const pet = await add(
				service(),
				'{"__proto__":{"name":"evil"},"constructor":1,"name":"Rex","tags":[1e400,{}],"categoryId":1}',
			);
			expect(pet).toBe(
				`{"id":${idOf(pet)},"name":"Rex","categoryId":1,"status":"available"}`,
			);
		});
		test("ignores the members of __proto__", async () => {
			await refuse(
				service(),
				'{"__proto__":{"name":"x","categoryId":1}}',
				/^name is required\. categoryId is required\.$/,
			);
		});
	});

	describe("A member given twice", () => {
		test("uses the last one if a member is given twice", async () => {
			const pet = await add(
				service(),
				'{"name":"a","categoryId":1,"name":"b","categoryId":9007199254740993}',
			);
			expect(pet).toContain('"name":"b","categoryId":9007199254740993');
			await refuse(service(), '{"name":"a","categoryId":1,"name":2}', /^name/);
		});
	});

	describe("Empty body, non-object, trailing text, NaN, too deep nesting", () => {
		test.each(
			titled([
				"",
				" ",
				"null",
				"1",
				'"x"',
				"true",
				"[]",
				'[{"name":"x","categoryId":1}]',
				'{"name":"x","categoryId":1}x',
				'{"name":"x","categoryId":1}{}',
				'{"name":"x","categoryId":NaN}',
				'{"name":"x","categoryId":Infinity}',
				'{"name":"x","categoryId":01}',
				'{"name":"x","categoryId":+1}',
				'{"name":"x","categoryId":1,}',
				"{'name':'x','categoryId':1}",
				'{"name":"x","categoryId":1',
				'{"name":"line\nbreak","categoryId":1}',
				`{"name":"x","categoryId":1,"deep":${nested(2_000)}}`,
				`{"name":"x","categoryId":1.0,"deep":${nested(2_000)}}`,
				`{"name":"x","categoryId":1,"deep":${nested(30_000)}}`,
			]),
		)("refuses the body %s", async (_title, body) => {
			await refuse(service(), body, /body/);
		});
		test.each([
			["", "ends too early, at line 1, column 1"],
			['{"name":', "ends too early, at line 1, column 9"],
			['{"name":"Rex",}', "stops being JSON at line 1, column 15"],
			['{\n\t"name": Rex\n}', "stops being JSON at line 2, column 10"],
			['{\r\n"🐕é": x}', "stops being JSON at line 2, column 7"],
			['\ufeff{"name":"R\nex"}', "stops being JSON at line 1, column 11"],
		])("says where %j stops being JSON", async (body, where) => {
			const whole = `^The body must be JSON text; it ${where}\\.$`;
			await refuse(service(), body, new RegExp(whole));
		});
		test("says how deep a body may be nested", async () => {
			for (const number of ["1", "1.0"])
				for (const depth of [2_000, 30_000])
					await refuse(
						service(),
						`{"name":"x","categoryId":${number},"deep":${nested(depth)}}`,
						/^The body must be JSON text that is nested no deeper than 2000 levels\.$/,
					);
		});
		// The object around it is one level more.
		test.each([1_000, 1_999])(
			"accepts a depth of %d inside an unknown member",
			async (depth) => {
				const deep = `"deep":${nested(depth)}`;
				await add(service(), `{"name":"x","categoryId":1,${deep}}`);
				await add(service(), `{"name":"x","categoryId":1.0,${deep}}`);
			},
		);
	});

	describe("`status: null`", () => {
		test.each(["null", '""', '"Available"', '"gone"', "1", '["sold"]'])(
			"refuses the status %s",
			async (status) => {
				await refuse(
					service(),
					`{"name":"x","categoryId":1,"status":${status}}`,
					/^status must be one of available, pending, sold\.$/,
				);
			},
		);
	});

	describe("A leading byte order mark", () => {
		test("ignores a leading byte order mark, and sends none", async () => {
			const pet = await add(service(), '\ufeff{"name":"x","categoryId":1}');
			expect(pet.charCodeAt(0)).toBe("{".charCodeAt(0));
		});
	});

	test("names every wrong field in the message of a 400", async () => {
		await refuse(
			service(),
			'{"name":1,"status":"x"}',
			/^name .* categoryId .* status /,
		);
	});
});

/** Expects invalid_body, and no new animal. */
async function refuse(
	{ call, store }: Service,
	body: string | Uint8Array<ArrayBuffer>,
	message: RegExp,
): Promise<void> {
	const newest = () =>
		listPets(store.catalogue, {
			limit: 1,
			maxId: 2n ** 63n - 1n,
			status: undefined,
		});
	const before = await newest();
	const response = await call("/v1/pets", { method: "POST", body });
	await expectError(response, "invalid_body", message);
	expect(await newest()).toEqual(before);
}

function nested(depth: number): string {
	return "[".repeat(depth) + "]".repeat(depth);
}
