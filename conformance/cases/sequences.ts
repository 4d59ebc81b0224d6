// Cases of additions to the document: requests that follow an earlier one, for the next page, with its ETag or its Idempotency-Key.
import {
	add,
	addition,
	type Case,
	type CaseRequest,
	type Expectation,
	get,
	given,
	newPet,
	reads,
	refusal,
	type Step,
	step,
} from "../case.ts";

const paging = addition("4.1", "Paging");
const conditionalList = addition("4.1", "Conditional reads");
const retries = addition("4.2", "Safe retries");

export const sequenceCases: readonly Case[] = [
	paging(
		"the Link of a page leads to the next page, also after another animal was added",
		given("a"),
		given("b"),
		given("c"),
		reads(
			"/pets?limit=2",
			{
				pets: { first: ["{c.id}", "{b.id}"] },
				headers: { Link: /^<\/v1\/pets\?[^>]*cursor=[^>]+>; rel="next"$/ },
			},
			"page",
		),
		given("d"),
		reads("^{page.next}", { pets: { first: ["{a.id}"], atMost: 2 } }),
	),
	paging(
		"the Link to the next page keeps the status filter",
		given("a", '{"name":"Rex","categoryId":1,"status":"sold"}'),
		given("b", '{"name":"Rex","categoryId":1,"status":"sold"}'),
		given("x", '{"name":"Rex","categoryId":1,"status":"pending"}'),
		reads("/pets?limit=1&status=sold", { pets: { first: ["{b.id}"] } }, "page"),
		reads("^{page.next}", { pets: { first: ["{a.id}"], status: "sold" } }),
	),
	paging(
		"listPets answers 400 to a cursor that belongs to another status filter",
		given("a"),
		given("b"),
		reads("/pets?limit=1", {}, "page"),
		step(
			get("^{page.next}&status=sold"),
			refusal("invalid_parameter", /cursor/),
		),
	),
	...["x", "1", "", "%20", "AAAA"].map((cursor) =>
		paging(
			`listPets answers 400 to cursor=${cursor} and names the parameter`,
			step(
				get(`/pets?cursor=${cursor}`),
				refusal("invalid_parameter", /cursor/),
			),
		),
	),

	conditionalList(
		"listPets answers 304 to the ETag of a list that has not changed",
		given("rex"),
		reads(
			"/pets?limit=1",
			{ headers: { ETag: /^"[^"]+"$/, "Cache-Control": "private, no-cache" } },
			"page",
		),
		getIf("/pets?limit=1", "{page.etag}", {
			status: 304,
			empty: true,
			headers: { ETag: "{page.etag}", "Content-Type": null },
		}),
		...["*", 'W/"x", W/{page.etag}', ', "x" ,,{page.etag} ,'].map((tags) =>
			getIf("/pets?limit=1", tags, { status: 304 }),
		),
		...[
			...['"x"', "", "*, {page.etag}", "w/{page.etag}", '"x" {page.etag}'],
			...["{page.etag}, x", '{page.etag}"x"', "{page.etag}; {page.etag}"],
		].map((tags) => getIf("/pets?limit=1", tags, { status: 200 })),
	),
	conditionalList(
		"listPets answers 200 to the ETag of a list that has changed",
		given("rex"),
		reads("/pets?limit=1", {}, "page"),
		given("max"),
		getIf("/pets?limit=1", "{page.etag}", {
			status: 200,
			pets: { first: ["{max.id}"] },
		}),
	),
	addition("4.3", "Conditional reads")(
		"getPet answers 304 to the ETag of an animal that has not changed",
		given("rex"),
		reads("/pets/{rex.id}", { headers: { ETag: /^"[^"]+"$/ } }, "one"),
		getIf("/pets/{rex.id}", "{one.etag}", { status: 304, empty: true }),
		getIf("/pets/{rex.id}", "*", { status: 304 }),
	),

	retries(
		"the same Idempotency-Key with the same animal gets the first reply again",
		step(
			addOnce('{"name":"Rex","categoryId":10}'),
			{ status: 201, headers: { "Idempotency-Replayed": null } },
			"first",
		),
		step(
			addOnce('{"categoryId":1e1,"status":"available","name":"Rex","x":0}'),
			{
				status: 201,
				sameAs: "first",
				headers: {
					"Idempotency-Replayed": "true",
					Location: "{first.location}",
				},
			},
		),
		reads("/pets?limit=1", { pets: { first: ["{first.id}"] } }),
	),
	...[
		'{"name":"Max","categoryId":1}',
		'{"name":"Rex","categoryId":2}',
		'{"name":"Rex","categoryId":1,"status":"sold"}',
	].map((other) =>
		retries(
			`createPet answers 422 to the same Idempotency-Key with another animal: ${other}`,
			step(addOnce(newPet), { status: 201 }, "rex"),
			step(addOnce(other), refusal("idempotency_mismatch")),
			reads("/pets?limit=1", { pets: { first: ["{rex.id}"] } }),
		),
	),
	retries(
		"the Idempotency-Key of a refused request can be used again",
		step(addOnce("{}"), { status: 400 }),
		step(addOnce(newPet), {
			status: 201,
			headers: { "Idempotency-Replayed": null },
		}),
	),
	retries(
		"an Idempotency-Key may have 255 visible ASCII characters",
		step(addOnce(newPet, "{unique}".padEnd(227, '~!"#,;`{}')), {
			status: 201,
		}),
	),
	...(
		[
			["that is empty", ""],
			["with a space", "a b"],
			["with two values", "a, b"],
			["of 256 characters", "x".repeat(256)],
		] as const
	).map(([what, key]) =>
		retries(
			`createPet answers 400 to an Idempotency-Key ${what}`,
			step(
				addOnce(newPet, key),
				refusal("invalid_parameter", /Idempotency-Key/),
			),
		),
	),
];

function getIf(path: string, tags: string, expect: Expectation): Step {
	return step(get(path, { "If-None-Match": tags }), expect);
}

/** `{unique}` is another text in each run of a case. */
function addOnce(body: string, key = "{unique}"): CaseRequest {
	return add(body, { "Idempotency-Key": key });
}
