// Beyond the document: the catalogue, numbers and strings.
import { add, type Case, get, given, newPet, one } from "./case.ts";

const whole: readonly [numeral: string, value: string][] = [
	["1.0", "1"],
	["1e2", "100"],
	["1E+2", "100"],
	["10e-1", "1"],
	["-0", "0"],
	["0e99999", "0"],
	["9223372036854775807.0", "9223372036854775807"],
];

const notInt64 = [
	"9223372036854775808",
	"-9223372036854775809",
	"1e19",
	"1e1000000000",
	"1e-1",
	'"1"',
	"false",
	"[1]",
	"{}",
];

const names = [
	"",
	" ",
	"  padded\\t",
	"e\u0301 is not \u00e9",
	"\ufb01",
	"\u{1f600} \u{1f469}\u200d\u{1f469}\u200d\u{1f467}",
	"\ufeff",
	"\u2028",
	"\\u0001",
	"'; DROP TABLE pets; --",
	"<script>alert(1)</script>",
	"%00 %s {{x}} \\\\",
];

const noNewPet: readonly [what: string, body: string][] = [
	["nothing", ""],
	["a space", " "],
	["null", "null"],
	["a number", "1"],
	["a string", '"Rex"'],
	["an empty array", "[]"],
	["text behind the object", `${newPet}x`],
	["two objects", newPet + newPet],
	["NaN", '{"name":"Rex","categoryId":NaN}'],
	["a leading zero", '{"name":"Rex","categoryId":01}'],
	["a plus sign", '{"name":"Rex","categoryId":+1}'],
	["a trailing comma", '{"name":"Rex","categoryId":1,}'],
	["single quotes", "{'name':'Rex','categoryId':1}"],
	["a raw line break in a string", '{"name":"R\nex","categoryId":1}'],
	[
		"30,000 nested arrays",
		`{"name":"Rex","categoryId":1,"x":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
	],
];

const added = { section: "4.2" };

export const valueCases: readonly Case[] = [
	{
		...added,
		addition: "Status omitted on creation",
		name: "an animal without a status is available, and found by that filter",
		steps: [
			{
				request: add(),
				expect: { status: 201, pet: { status: "available" } },
				save: "rex",
			},
			{
				request: get("/pets?status=available&limit=100"),
				expect: { status: 200, pets: { has: ["{rex.id}"] } },
			},
		],
	},
	{
		section: "4.1",
		addition: "Order of a list",
		name: "a list begins with the newest animal",
		steps: [
			given("a"),
			given("b"),
			given("c"),
			{
				request: get("/pets?limit=3"),
				expect: {
					status: 200,
					pets: { first: ["{c.id}", "{b.id}", "{a.id}"] },
				},
			},
			{
				request: get("/pets?limit=2&status=available"),
				expect: { status: 200, pets: { first: ["{c.id}", "{b.id}"] } },
			},
		],
	},
	{
		...added,
		addition: "Ids",
		name: "an id that a client sends is not taken",
		steps: [
			given("rex"),
			{
				request: add('{"id":1,"name":"Max","categoryId":2}'),
				expect: { status: 201, pet: { name: "Max" } },
				save: "max",
			},
			{
				request: get("/pets/{max.id}"),
				expect: { status: 200, pet: { name: "Max" } },
			},
			{
				request: get("/pets/{rex.id}"),
				expect: { status: 200, sameAs: "rex" },
			},
		],
	},
	...["0", "-1"].map((categoryId) =>
		one(
			{ ...added, addition: "Categories", name: `${categoryId} is a category` },
			add(`{"name":"Rex","categoryId":${categoryId}}`),
			{
				status: 201,
				pet: { categoryId },
			},
		),
	),
	...["/store", "/store/orders", "/orders", "/categories"].map((path) =>
		one(
			{
				section: "1",
				addition: "Store area, orders",
				name: `${path} is a 404`,
			},
			get(path),
			{
				status: 404,
				error: "not_found",
			},
		),
	),
	...["PUT", "PATCH", "DELETE"].map(
		(method): Case => ({
			section: "3",
			addition: "Status changes, edits, removal",
			name: `${method} changes no animal`,
			steps: [
				given("rex"),
				{
					request: {
						...add('{"name":"Max","categoryId":2,"status":"sold"}'),
						method,
						path: "/pets/{rex.id}",
					},
					expect: { status: 405, error: "method_not_allowed" },
				},
				{
					request: get("/pets/{rex.id}"),
					expect: { status: 200, sameAs: "rex" },
				},
			],
		}),
	),
	{
		section: "2",
		addition: "int64 in JSON",
		name: "an int64 is a JSON number with all its digits, in a list too",
		steps: [
			given("rex", '{"name":"Rex","categoryId":-9007199254740993}'),
			{
				request: get("/pets?limit=1"),
				expect: { status: 200, text: /"categoryId":-9007199254740993[,}]/ },
			},
		],
	},
	...whole.map(([numeral, categoryId]) =>
		one(
			{
				...added,
				addition: "Which JSON numbers are integers",
				name: `${numeral} is ${categoryId}`,
			},
			add(`{"name":"Rex","categoryId":${numeral}}`),
			{ status: 201, pet: { categoryId } },
		),
	),
	...notInt64.map((value) =>
		one(
			{
				...added,
				addition: "Outside int64, fractions, strings, booleans, null",
				name: `a categoryId of ${value} is refused, and the field named`,
			},
			add(`{"name":"Rex","categoryId":${value}}`),
			{ status: 400, error: "invalid_body", message: /categoryId/ },
		),
	),
	...names.map(
		(name): Case => ({
			...added,
			addition: "`name`",
			name: `the name "${name}" is kept`,
			steps: [
				{
					request: add(`{"name":"${name}","categoryId":1}`),
					expect: { status: 201, pet: { name: JSON.parse(`"${name}"`) } },
					save: "rex",
				},
				{
					request: get("/pets/{rex.id}"),
					expect: { status: 200, sameAs: "rex" },
				},
			],
		}),
	),
	...["a\\u0000b", "\\ud83d", "x\\ude00"].map((name) =>
		one(
			{
				...added,
				addition: "U+0000 in a name, a lone surrogate, malformed UTF-8",
				name: `the name "${name}" is refused`,
			},
			add(`{"name":"${name}","categoryId":1}`),
			{ status: 400, error: "invalid_body", message: /name/ },
		),
	),
	...["ff", "c080", "eda080", "e282"].map((bytes) =>
		one(
			{
				...added,
				addition: "U+0000 in a name, a lone surrogate, malformed UTF-8",
				name: `the bytes ${bytes} in a name are refused`,
			},
			add({ hex: `${hex('{"categoryId":1,"name":"')}${bytes}${hex('"}')}` }),
			{ status: 400, error: "invalid_body" },
		),
	),
	one(
		{
			...added,
			addition: "Unknown members",
			name: "unknown members are not echoed",
		},
		add(
			'{"__proto__":{"name":"x"},"constructor":1,"name":"Rex","tags":[1],"categoryId":1}',
		),
		{
			status: 201,
			text: /^(?!.*(tags|proto|constructor))/s,
			pet: { name: "Rex" },
		},
	),
	one(
		{
			...added,
			addition: "Unknown members",
			name: "a prototype lends no members",
		},
		add('{"__proto__":{"name":"x","categoryId":1}}'),
		{ status: 400, error: "invalid_body" },
	),
	one(
		{
			...added,
			addition: "A member given twice",
			name: "the last of two members counts",
		},
		add('{"name":"a","categoryId":1,"name":"b","categoryId":9007199254740993}'),
		{ status: 201, pet: { name: "b", categoryId: "9007199254740993" } },
	),
	...noNewPet.map(([what, body]) =>
		one(
			{
				...added,
				addition:
					"Empty body, non-object, trailing text, NaN, too deep nesting",
				name: `a body of ${what} is refused`,
			},
			add(body),
			{ status: 400, error: "invalid_body" },
		),
	),
	one(
		{
			...added,
			addition: "Empty body, non-object, trailing text, NaN, too deep nesting",
			name: "1,000 nested arrays in an unknown member are read",
		},
		add(
			`{"name":"Rex","categoryId":1,"x":${"[".repeat(1_000)}${"]".repeat(1_000)}}`,
		),
		{ status: 201 },
	),
	one(
		{
			...added,
			addition: "`status: null`",
			name: "a status of null is refused, and the field named",
		},
		add('{"name":"Rex","categoryId":1,"status":null}'),
		{ status: 400, error: "invalid_body", message: /status/ },
	),
	one(
		{
			...added,
			addition: "A leading byte order mark",
			name: "a leading byte order mark is ignored",
		},
		add({ hex: `efbbbf${hex(newPet)}` }),
		{ status: 201, text: /^\{/ },
	),
];

function hex(text: string): string {
	return Buffer.from(text).toString("hex");
}
