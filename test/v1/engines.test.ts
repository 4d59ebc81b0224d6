// Both engines give the same replies to the same requests, byte for byte.
import { expect, test } from "bun:test";
import { openService, type Service } from "../service.ts";

const apiKey = "a-key-known-to-the-tests";

const requests: readonly [
	method: string,
	path: string,
	body?: string | undefined,
	headers?: Record<string, string>,
][] = [
	["GET", "/v1/pets"],
	["POST", "/v1/pets", '{"name":"Rex","categoryId":9007199254740993}'],
	[
		"POST",
		"/v1/pets",
		'{"name":"\u{1f600} e\u0301","categoryId":-1,"status":"sold"}',
	],
	["POST", "/v1/pets", '{"name":""}'],
	["POST", "/v1/pets", '{"name":"a\\u0000","categoryId":1}'],
	[
		"POST",
		"/v1/pets",
		'{"name":"x","categoryId":0}',
		{ "Idempotency-Key": "k" },
	],
	[
		"POST",
		"/v1/pets",
		'{"categoryId":0,"name":"x"}',
		{ "Idempotency-Key": "k" },
	],
	[
		"POST",
		"/v1/pets",
		'{"name":"y","categoryId":0}',
		{ "Idempotency-Key": "k" },
	],
	["POST", "/v1/pets", '{"name":"after the replay","categoryId":0}'],
	["GET", "/v1/pets?limit=2"],
	["GET", "/v1/pets?limit=1&status=sold"],
	["GET", "/v1/pets?limit=0"],
	["HEAD", "/v1/pets"],
	["GET", "/v1/pets/1"],
	["GET", "/v1/pets/2", undefined, { "If-None-Match": "*" }],
	["GET", "/v1/pets/99"],
	["DELETE", "/v1/pets/1"],
	["OPTIONS", "/v1/pets", undefined, { Origin: "https://shop.example" }],
	["GET", "/readyz"],
	["GET", "/openapi.json"],
];

test("both engines give the same replies to the same requests, byte for byte", async () => {
	const [sqlite, postgres] = await Promise.all([
		sendAll("sqlite"),
		sendAll("postgres"),
	]);
	expect(postgres).toEqual(sqlite);
	expect(sqlite.filter(({ status }) => status === 201)).toHaveLength(5);
});

async function sendAll(engine: "sqlite" | "postgres") {
	const service = await openService("in process", { engine, apiKey });
	const replies = [];
	for (const [method, path, body, headers] of requests)
		replies.push(await reply(service, method, path, body, headers));
	await service.close();
	return replies;
}

async function reply(
	{ call }: Service,
	...[method, path, body, headers]: (typeof requests)[number]
) {
	const response = await call(path, {
		method,
		authorization: `Bearer ${apiKey}`,
		body,
		...(headers && { headers }),
	});
	return {
		request: `${method} ${path}`,
		status: response.status,
		// The ETag of an animal names the database.
		headers: [...response.headers].map(([name, value]) => [
			name,
			name === "etag" ? value.replace(/^"\d+-/, '"') : value,
		]),
		body: await response.text(),
	};
}
