// Cases of additions to the document: the catalogue, numbers and strings.
import {
	add,
	addition,
	type Case,
	get,
	given,
	hex,
	newPet,
	oneStep,
} from "../case.ts";

const wholeNumbers: readonly [numeral: string, value: string][] = [
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

/** Names that a store could take for empty, or that its tools may drop. Those of the contract are in document.ts. */
const names = ["", " ", "\ufeff", "\u2028", "\\u0001"];

const notNewPet: readonly [what: string, body: string][] = [
	["an empty body", ""],
	["a body of one space", " "],
	["a body that is null", "null"],
	["a body that is a number", "1"],
	["a body that is a string", '"Rex"'],
	["an empty array", "[]"],
	["text after the object", `${newPet}x`],
	["two objects", newPet + newPet],
	["the value NaN", '{"name":"Rex","categoryId":NaN}'],
	["a number with a leading zero", '{"name":"Rex","categoryId":01}'],
	["a number with a plus sign", '{"name":"Rex","categoryId":+1}'],
	["a trailing comma", '{"name":"Rex","categoryId":1,}'],
	["strings in single quotes", "{'name':'Rex','categoryId':1}"],
	["a raw line break in a string", '{"name":"R\nex","categoryId":1}'],
	[
		"2,000 nested arrays in the object",
		`{"name":"Rex","categoryId":1,"x":${"[".repeat(2_000)}${"]".repeat(2_000)}}`,
	],
];

export const valueCases: readonly Case[] = [
	{
		rule: addition("4.2", "Status omitted on creation"),
		name: "an animal that was added without a status is available, and status=available lists it",
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
		rule: addition("4.1", "Order of a list"),
		name: "a list has the newest animal first",
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
		rule: addition("4.2", "Ids"),
		name: "an id that a client sends is ignored",
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
		oneStep(
			addition("4.2", "Categories"),
			`categoryId may be ${categoryId}`,
			add(`{"name":"Rex","categoryId":${categoryId}}`),
			{ status: 201, pet: { categoryId } },
		),
	),
	...["/store", "/store/orders", "/orders", "/categories"].map((path) =>
		oneStep(
			addition("1", "Store area, orders"),
			`GET ${path} answers 404`,
			get(path),
			{ status: 404, error: "not_found" },
		),
	),
	...["PUT", "PATCH", "DELETE"].map(
		(method): Case => ({
			rule: addition("3", "Status changes, edits, removal"),
			name: `${method} on an animal answers 405 and does not change it`,
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
		rule: addition("2", "int64 in JSON"),
		name: "an int64 in a list is a JSON number with all its digits",
		steps: [
			given("rex", '{"name":"Rex","categoryId":-9007199254740993}'),
			{
				request: get("/pets?limit=1"),
				expect: { status: 200, text: /"categoryId":-9007199254740993[,}]/ },
			},
		],
	},
	...wholeNumbers.map(([numeral, categoryId]) =>
		oneStep(
			addition("4.2", "Which JSON numbers are integers"),
			`the JSON number ${numeral} is read as ${categoryId}`,
			add(`{"name":"Rex","categoryId":${numeral}}`),
			{ status: 201, pet: { categoryId } },
		),
	),
	...notInt64.map((value) =>
		oneStep(
			addition("4.2", "Outside int64, fractions, strings, booleans, null"),
			`createPet answers 400 to a categoryId of ${value} and names the field`,
			add(`{"name":"Rex","categoryId":${value}}`),
			{ status: 400, error: "invalid_body", message: /categoryId/ },
		),
	),
	...names.map(
		(name): Case => ({
			rule: addition("4.2", "`name`"),
			name: `the name "${name}" is returned unchanged`,
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
	oneStep(
		addition("4.2", "`name`"),
		"a name of 255 characters of two code units is returned unchanged",
		add(`{"name":"${"🐕".repeat(255)}","categoryId":1}`),
		{ status: 201, pet: { name: "🐕".repeat(255) } },
	),
	oneStep(
		addition("4.2", "`name`"),
		"createPet answers 400 to a name of 256 characters and names the field",
		add(`{"name":"${"x".repeat(256)}","categoryId":1}`),
		{ status: 400, error: "invalid_body", message: /name/ },
	),
	...["a\\u0000b", "\\ud83d", "x\\ude00"].map((name) =>
		oneStep(
			addition("4.2", "U+0000 in a name, a lone surrogate, malformed UTF-8"),
			`createPet answers 400 to the name "${name}"`,
			add(`{"name":"${name}","categoryId":1}`),
			{ status: 400, error: "invalid_body", message: /name/ },
		),
	),
	...["ff", "c080", "eda080", "e282"].map((bytes) =>
		oneStep(
			addition("4.2", "U+0000 in a name, a lone surrogate, malformed UTF-8"),
			`createPet answers 400 to the bytes ${bytes} in a name, which are not UTF-8`,
			add({ hex: `${hex('{"categoryId":1,"name":"')}${bytes}${hex('"}')}` }),
			{ status: 400, error: "invalid_body" },
		),
	),
	oneStep(
		addition("4.2", "Unknown members"),
		"unknown members of the body are not in the reply",
		add(
			'{"__proto__":{"name":"x"},"constructor":1,"name":"Rex","tags":[1],"categoryId":1}',
		),
		{
			status: 201,
			text: /^(?!.*(tags|proto|constructor))/s,
			pet: { name: "Rex" },
		},
	),
	oneStep(
		addition("4.2", "Unknown members"),
		"members inside __proto__ are not members of the body",
		add('{"__proto__":{"name":"x","categoryId":1}}'),
		{ status: 400, error: "invalid_body" },
	),
	oneStep(
		addition("4.2", "A member given twice"),
		"the last value of a member that is given twice counts",
		add('{"name":"a","categoryId":1,"name":"b","categoryId":9007199254740993}'),
		{ status: 201, pet: { name: "b", categoryId: "9007199254740993" } },
	),
	...notNewPet.map(([what, body]) =>
		oneStep(
			addition(
				"4.2",
				"Empty body, non-object, trailing text, NaN, too deep nesting",
			),
			`createPet answers 400 to ${what}`,
			add(body),
			{ status: 400, error: "invalid_body" },
		),
	),
	oneStep(
		addition(
			"4.2",
			"Empty body, non-object, trailing text, NaN, too deep nesting",
		),
		"the Error for a body that is not JSON has no part of the body",
		add('{"name":"🐕",\n  "é": secret}'),
		{ status: 400, error: "invalid_body", message: /^(?!.*secret)/ },
	),
	oneStep(
		addition(
			"4.2",
			"Empty body, non-object, trailing text, NaN, too deep nesting",
		),
		"createPet accepts 1,999 nested arrays in an unknown member",
		add(
			`{"name":"Rex","categoryId":1,"x":${"[".repeat(1_999)}${"]".repeat(1_999)}}`,
		),
		{ status: 201 },
	),
	oneStep(
		addition("4.2", "`status: null`"),
		"createPet answers 400 to a status of null and names the field",
		add('{"name":"Rex","categoryId":1,"status":null}'),
		{ status: 400, error: "invalid_body", message: /status/ },
	),
	oneStep(
		addition("4.2", "A leading byte order mark"),
		"a leading byte order mark is ignored",
		add({ hex: `efbbbf${hex(newPet)}` }),
		{ status: 201, text: /^\{/ },
	),
];
