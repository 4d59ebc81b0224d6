// Cases of additions to the document: the catalogue, numbers and strings.
import {
	add,
	addition,
	type Case,
	get,
	given,
	hex,
	newPet,
	reads,
	refusal,
	step,
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
	["2,000 nested arrays in the object", withNestedArrays(2_000)],
];

const int64 = addition(
	"4.2",
	"Outside int64, fractions, strings, booleans, null",
);
const nameRule = addition("4.2", "`name`");
const malformed = addition(
	"4.2",
	"U+0000 in a name, a lone surrogate, malformed UTF-8",
);
const unknownMembers = addition("4.2", "Unknown members");
const notObject = addition(
	"4.2",
	"Empty body, non-object, trailing text, NaN, too deep nesting",
);

export const valueCases: readonly Case[] = [
	addition("4.2", "Status omitted on creation")(
		"an animal that was added without a status is available, and status=available lists it",
		step(add(), { status: 201, pet: { status: "available" } }, "rex"),
		reads("/pets?status=available&limit=100", { pets: { has: ["{rex.id}"] } }),
	),
	addition("4.1", "Order of a list")(
		"a list has the newest animal first",
		given("a"),
		given("b"),
		given("c"),
		reads("/pets?limit=3", {
			pets: { first: ["{c.id}", "{b.id}", "{a.id}"] },
		}),
		reads("/pets?limit=2&status=available", {
			pets: { first: ["{c.id}", "{b.id}"] },
		}),
	),
	addition("4.2", "Ids")(
		"an id that a client sends is ignored",
		given("rex"),
		step(
			add('{"id":1,"name":"Max","categoryId":2}'),
			{ status: 201, pet: { name: "Max" } },
			"max",
		),
		reads("/pets/{max.id}", { pet: { name: "Max" } }),
		reads("/pets/{rex.id}", { sameAs: "rex" }),
	),
	...["0", "-1"].map((categoryId) =>
		addition("4.2", "Categories")(
			`categoryId may be ${categoryId}`,
			step(add(toBody(categoryId)), { status: 201, pet: { categoryId } }),
		),
	),
	...["/store", "/store/orders", "/orders", "/categories"].map((path) =>
		addition("1", "Store area, orders")(
			`GET ${path} answers 404`,
			step(get(path), refusal("not_found")),
		),
	),
	...["PUT", "PATCH", "DELETE"].map((method) => {
		const request = add('{"name":"Max","categoryId":2,"status":"sold"}');
		return addition("3", "Status changes, edits, removal")(
			`${method} on an animal answers 405 and does not change it`,
			given("rex"),
			step(
				{ ...request, method, path: "/pets/{rex.id}" },
				refusal("method_not_allowed"),
			),
			reads("/pets/{rex.id}", { sameAs: "rex" }),
		);
	}),
	addition("2", "int64 in JSON")(
		"an int64 in a list is a JSON number with all its digits",
		given("rex", toBody("-9007199254740993")),
		reads("/pets?limit=1", { text: /"categoryId":-9007199254740993[,}]/ }),
	),
	...wholeNumbers.map(([numeral, categoryId]) =>
		addition("4.2", "Which JSON numbers are integers")(
			`the JSON number ${numeral} is read as ${categoryId}`,
			step(add(toBody(numeral)), { status: 201, pet: { categoryId } }),
		),
	),
	...notInt64.map((value) =>
		int64(
			`createPet answers 400 to a categoryId of ${value} and names the field`,
			step(add(toBody(value)), refusal("invalid_body", /categoryId/)),
		),
	),
	...names.map((name) =>
		nameRule(
			`the name "${name}" is returned unchanged`,
			step(
				add(`{"name":"${name}","categoryId":1}`),
				{ status: 201, pet: { name: JSON.parse(`"${name}"`) } },
				"rex",
			),
			reads("/pets/{rex.id}", { sameAs: "rex" }),
		),
	),
	nameRule(
		"a name of 255 characters of two code units is returned unchanged",
		step(add(`{"name":"${"🐕".repeat(255)}","categoryId":1}`), {
			status: 201,
			pet: { name: "🐕".repeat(255) },
		}),
	),
	nameRule(
		"createPet answers 400 to a name of 256 characters and names the field",
		step(
			add(`{"name":"${"x".repeat(256)}","categoryId":1}`),
			refusal("invalid_body", /name/),
		),
	),
	...["a\\u0000b", "\\ud83d", "x\\ude00"].map((name) =>
		malformed(
			`createPet answers 400 to the name "${name}"`,
			step(
				add(`{"name":"${name}","categoryId":1}`),
				refusal("invalid_body", /name/),
			),
		),
	),
	...["ff", "c080", "eda080", "e282"].map((bytes) =>
		malformed(
			`createPet answers 400 to the bytes ${bytes} in a name, which are not UTF-8`,
			step(
				add({ hex: `${hex('{"categoryId":1,"name":"')}${bytes}${hex('"}')}` }),
				refusal("invalid_body"),
			),
		),
	),
	unknownMembers(
		"unknown members of the body are not in the reply",
		step(
			add(
				'{"__proto__":{"name":"x"},"constructor":1,"name":"Rex","tags":[1],"categoryId":1}',
			),
			{
				status: 201,
				text: /^(?!.*(tags|proto|constructor))/s,
				pet: { name: "Rex" },
			},
		),
	),
	unknownMembers(
		"members inside __proto__ are not members of the body",
		step(
			add('{"__proto__":{"name":"x","categoryId":1}}'),
			refusal("invalid_body"),
		),
	),
	addition("4.2", "A member given twice")(
		"the last value of a member that is given twice counts",
		step(
			add(
				'{"name":"a","categoryId":1,"name":"b","categoryId":9007199254740993}',
			),
			{ status: 201, pet: { name: "b", categoryId: "9007199254740993" } },
		),
	),
	...notNewPet.map(([what, body]) =>
		notObject(
			`createPet answers 400 to ${what}`,
			step(add(body), refusal("invalid_body")),
		),
	),
	notObject(
		"the Error for a body that is not JSON has no part of the body",
		step(
			add('{"name":"🐕",\n  "é": secret}'),
			refusal("invalid_body", /^(?!.*secret)/),
		),
	),
	notObject(
		"createPet accepts 1,999 nested arrays in an unknown member",
		step(add(withNestedArrays(1_999)), { status: 201 }),
	),
	addition("4.2", "`status: null`")(
		"createPet answers 400 to a status of null and names the field",
		step(
			add('{"name":"Rex","categoryId":1,"status":null}'),
			refusal("invalid_body", /status/),
		),
	),
	addition("4.2", "A leading byte order mark")(
		"a leading byte order mark is ignored",
		step(add({ hex: `efbbbf${hex(newPet)}` }), { status: 201, text: /^\{/ }),
	),
];

function toBody(categoryId: string): string {
	return `{"name":"Rex","categoryId":${categoryId}}`;
}

function withNestedArrays(depth: number): string {
	const arrays = "[".repeat(depth) + "]".repeat(depth);
	return `{"name":"Rex","categoryId":1,"x":${arrays}}`;
}
