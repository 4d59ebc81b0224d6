// Requests: parameters, paths, methods, media types, sizes.
import { describe, expect, test } from "bun:test";
import { add, expectError, idOf, onEachService, titled } from "../service.ts";

const newPet = '{"name":"Rex","categoryId":1}';

onEachService((service) => {
	describe("`limit`", () => {
		test.each([1, 7, 100])("limit=%d gives as many animals", async (limit) => {
			for (let count = 0; count <= limit; count++) await add(service(), newPet);
			const list = await service().call(`/v1/pets?limit=${limit}`);
			expect(await list.json()).toHaveLength(limit);
		});
		test.each([
			..."0 101 1000 -1 05 5.0 1e1 +5 0x5 five null NaN 5a %205 5%20".split(
				" ",
			),
			"9".repeat(400),
			"",
			"%D9%A5",
			"5,5",
			"5%00",
		])("refuses limit=%s", async (limit) => {
			await expectError(
				await service().call(`/v1/pets?limit=${limit}`),
				"invalid_parameter",
				/^limit must be a plain whole number from 1 to 100\.$/,
			);
		});
		test("refuses a limit without a value", async () => {
			const response = await service().call("/v1/pets?limit");
			await expectError(response, "invalid_parameter", /^limit/);
		});
	});

	describe("`status` filter", () => {
		test.each(["available", "pending", "sold"])(
			"lists only animals with status=%s",
			async (status) => {
				for (const other of ["available", "pending", "sold"])
					await add(
						service(),
						`{"name":"x","categoryId":1,"status":"${other}"}`,
					);
				const list = await service().call(`/v1/pets?status=${status}`);
				const found: { status: string }[] = await list.json();
				expect([...new Set(found.map((pet) => pet.status))]).toEqual([status]);
			},
		);
		test.each(["Available", "SOLD", "gone", "", "sold,pending", "sold%20"])(
			"refuses status=%j",
			async (status) => {
				await expectError(
					await service().call(`/v1/pets?status=${status}`),
					"invalid_parameter",
					/^status must be one of available, pending, sold\.$/,
				);
			},
		);
	});

	describe("The same known parameter twice", () => {
		test.each([
			"limit=5&limit=5",
			"limit=5&%6Cimit=5",
			"status=sold&limit=1&status=sold",
		])("refuses the query %s", async (query) => {
			await expectError(
				await service().call(`/v1/pets?${query}`),
				"invalid_parameter",
				/^(limit|status) must not be given more than once\.$/,
			);
		});
	});

	describe("Unknown parameters", () => {
		test.each([
			"foo=1&foo=2",
			"Limit=0",
			"limit[]=0",
			"%=%zz",
			"&&=&",
			"page=x",
		])("ignores the query %s", async (query) => {
			const list = await service().call(`/v1/pets?limit=1&${query}`);
			expect(list.status).toBe(200);
		});
		test("createPet and getPet ignore all parameters", async () => {
			const response = await service().call("/v1/pets?limit=0&status=x", {
				method: "POST",
				body: newPet,
			});
			expect(response.status).toBe(201);
			const id = idOf(await response.text());
			const one = await service().call(`/v1/pets/${id}?limit=0`);
			expect(one.status).toBe(200);
		});
	});

	describe("Percent-encoding", () => {
		test("decodes percent-encoding in the names and values of parameters", async () => {
			await add(service(), newPet);
			const list = await service().call(
				"/v1/pets?%6Cimit=%31&stat%75s=a%76ailable",
			);
			expect(await list.json()).toHaveLength(1);
		});
		test.each(["limit=%", "limit=%3", "limit=%zz", "status=%ff", "cursor=%"])(
			"refuses the query %s",
			async (query) => {
				await expectError(
					await service().call(`/v1/pets?${query}`),
					"invalid_parameter",
					/percent-encoded/,
				);
			},
		);
	});

	describe("`petId` that is no int64", () => {
		test.each([
			..."abc 0 -1 01 1.0 +1 1e0 0x1 %31 1%20 1,2 9223372036854775808".split(
				" ",
			),
			"9".repeat(400),
			"1;v=2",
			"%00",
			"%",
		])("answers 404 to the petId %s", async (petId) => {
			await add(service(), newPet);
			await expectError(
				await service().call(`/v1/pets/${petId}`),
				"not_found",
				/petId/,
			);
		});
	});

	describe("Paths", () => {
		test.each([
			"/v1",
			"/v1/",
			"/v1/pets/",
			"/v1//pets",
			"/v1/Pets",
			"/v1/%70ets",
			"/v1/pets/1/",
			"/v1/pets/1/2",
			"/v2/pets",
			"/pets",
			"/v1pets",
			"/v1/pets%2F1",
			"/v1/pets/..%2F",
		])("answers 404 to %s", async (path) => {
			await add(service(), newPet);
			await expectError(await service().call(path), "not_found");
		});
		test.each(["/v1/./pets", "/x/../v1/pets", "/v1\\pets", "/v1/%2e/pets"])(
			"serves %s as /v1/pets",
			async (path) => {
				expect((await service().call(path)).status).toBe(200);
			},
		);
	});

	describe("Content-Type of createPet", () => {
		const post = (type: string) =>
			service().call("/v1/pets", {
				method: "POST",
				body: newPet,
				headers: { "Content-Type": type },
			});
		test.each([
			"application/json",
			"APPLICATION/JSON",
			"application/json; charset=utf-8",
			"application/json;charset=latin1",
			"application/json ; x=y",
			"application/vnd.pets+json",
			"application/merge-patch+json;v=1",
		])("accepts the Content-Type %s", async (type) => {
			expect((await post(type)).status).toBe(201);
		});
		test.each([
			"text/plain",
			"text/json",
			"application/x-www-form-urlencoded",
			"multipart/form-data; boundary=x",
			"application/jsonp",
			"application/json5",
			"application/+json",
			"application/json, application/json",
			"json",
			"*/*",
		])("refuses the Content-Type %s", async (type) => {
			await expectError(
				await post(type),
				"unsupported_media_type",
				/Content-Type/,
			);
		});
		test("accepts a body without a Content-Type", async () => {
			const response = await service().call("/v1/pets", {
				method: "POST",
				// Bytes, since fetch declares a type for text.
				body: new TextEncoder().encode(newPet),
				headers: { "Content-Type": undefined },
			});
			expect(response.status).toBe(201);
		});
	});

	describe("Content-Encoding", () => {
		test.each(["gzip", "br", "deflate", "gzip, identity"])(
			"refuses the Content-Encoding %s",
			async (encoding) => {
				await expectError(
					await service().call("/v1/pets", {
						method: "POST",
						body: newPet,
						headers: { "Content-Encoding": encoding },
					}),
					"unsupported_media_type",
					/Content-Encoding/,
				);
			},
		);
		test("accepts the Content-Encoding identity", async () => {
			await add(service(), newPet, { "Content-Encoding": "Identity" });
		});
	});

	describe("Body size", () => {
		const padded = (bytes: number) => newPet.padEnd(bytes, " ");
		const streamed = (text: string) => new Response(text).body ?? undefined;
		test("accepts a body of 64 KiB", async () => {
			await add(service(), padded(64 * 1024));
			const response = await service().call("/v1/pets", {
				method: "POST",
				body: streamed(padded(64 * 1024)),
			});
			expect(response.status).toBe(201);
		});
		test.each([64 * 1024 + 1, 10_000_000])(
			"refuses a body of %d bytes",
			async (bytes) => {
				for (const body of [padded(bytes), streamed(padded(bytes))])
					await expectError(
						await service().call("/v1/pets", { method: "POST", body }),
						"payload_too_large",
						/64 KiB/,
					);
			},
		);
	});

	describe("Accept", () => {
		test.each(["text/html", "application/xml", "*/*;q=0", "nonsense"])(
			"answers Accept: %s with JSON",
			async (accept) => {
				const list = await service().call("/v1/pets", {
					headers: { Accept: accept },
				});
				expect([list.status, await list.json()]).toEqual([
					200,
					expect.any(Array),
				]);
			},
		);
	});

	describe("HEAD", () => {
		test.each([
			"/v1/pets",
			"/v1/pets?limit=1",
			"/v1/pets?limit=0",
			"/v1/pets/1",
			"/v1/pets/x",
			"/v1/nothing",
			"/healthz",
			"/readyz",
			"/openapi.json",
			"/",
		])("answers HEAD %s with the headers of GET and no body", async (path) => {
			await add(service(), '{"name":"\u00e9","categoryId":1}');
			const get = await service().call(path);
			const head = await service().call(path, { method: "HEAD" });
			expect(head.status).toBe(get.status);
			expect(await head.text()).toBe("");
			const length = Buffer.byteLength(await get.text());
			const { date: _, ...headers } = Object.fromEntries(head.headers);
			expect(headers).toEqual({
				...withoutDate(get),
				"content-length": String(length),
			});
		});
	});

	describe("OPTIONS", () => {
		test.each([
			["/v1/pets", "GET, HEAD, POST, OPTIONS"],
			["/v1/pets/1", "GET, HEAD, OPTIONS"],
			["/healthz", "GET, HEAD, OPTIONS"],
		])("OPTIONS %s allows %s, without a key", async (path, allow) => {
			const plain = await service().call(path, {
				method: "OPTIONS",
				authorization: null,
			});
			expect([plain.status, await plain.text()]).toEqual([204, ""]);
			expect(plain.headers.get("Allow")).toBe(allow);
			expect(plain.headers.has("Access-Control-Allow-Methods")).toBe(false);

			const { headers } = await service().call(path, {
				method: "OPTIONS",
				authorization: null,
				headers: { Origin: "https://shop.example" },
			});
			expect(headers.get("Allow")).toBe(allow);
			expect(headers.get("Access-Control-Allow-Methods")).toBe(allow);
			expect(headers.get("Access-Control-Allow-Headers")).toBe(
				"Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id",
			);
			expect(headers.get("Access-Control-Max-Age")).toMatch(/^\d+$/);
		});
		const preflight = (asked: string) =>
			service().call("/v1/pets", {
				method: "OPTIONS",
				authorization: null,
				headers: {
					Origin: "https://shop.example",
					"Access-Control-Request-Method": "POST",
					"Access-Control-Request-Headers": asked,
				},
			});
		test.each(
			titled([
				"authorization",
				"authorization,content-type,traceparent,x-requested-with",
				"Cache-Control , X-Anything\t,\tit's_~!#$%&*+.^`|0",
				Array.from({ length: 500 }, (_, index) => `x-${index}`).join(","),
			]),
		)(
			"allows a preflight request to ask for the headers %s",
			async (_title, asked) => {
				const { status, headers } = await preflight(asked);
				expect(status).toBe(204);
				expect(headers.get("Access-Control-Allow-Headers")).toBe(asked);
				expect(headers.get("Vary")).toBe(
					"Origin, Access-Control-Request-Headers",
				);
			},
		);
		test.each(["", ",", "a,", "a,,b", "a b", "a;b", "a: b", '"a"', "\u00e9"])(
			"allows the known headers to a preflight request for %j, which is no list of headers",
			async (asked) => {
				const { headers } = await preflight(asked);
				expect(headers.get("Access-Control-Allow-Headers")).toBe(
					"Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id",
				);
			},
		);
		test("answers 404 to OPTIONS on an unknown path", async () => {
			await expectError(
				await service().call("/v1/orders", { method: "OPTIONS" }),
				"not_found",
			);
		});
	});

	describe("Other methods on a known path", () => {
		test.each([
			["PUT", "/v1/pets", "GET, HEAD, POST, OPTIONS"],
			["DELETE", "/v1/pets", "GET, HEAD, POST, OPTIONS"],
			["POST", "/v1/pets/1", "GET, HEAD, OPTIONS"],
			["PATCH", "/v1/pets/1", "GET, HEAD, OPTIONS"],
			["POST", "/healthz", "GET, HEAD, OPTIONS"],
		])("answers 405 to %s %s", async (method, path, allow) => {
			const response = await service().call(path, { method });
			expect(response.headers.get("Allow")).toBe(allow);
			await expectError(response, "method_not_allowed", /GET/);
		});
		test("answers 404 to DELETE on an unknown path", async () => {
			for (const path of ["/v1/orders", "/nothing"])
				await expectError(
					await service().call(path, { method: "DELETE" }),
					"not_found",
				);
		});
	});

	describe("Paths outside `/v1`", () => {
		test.each(["/healthz", "/readyz", "/openapi.json", "/"])(
			"serves %s without a key",
			async (path) => {
				const response = await service().call(path, { authorization: null });
				expect(response.status).toBe(200);
				expect(await response.json()).toBeObject();
			},
		);
		test("lists only existing paths at /", async () => {
			const index = await service().call("/", { authorization: null });
			for (const path of Object.values<string>(await index.json()))
				if (path.startsWith("/")) {
					const asked = new Request(service().url + path);
					asked.headers.set(
						"Authorization",
						`Bearer ${await service().makeKey()}`,
					);
					expect((await service().send(asked)).status).toBe(200);
				}
		});
		test.each(titled(["/nothing", "/favicon.ico", "/healthz/", "/v1.json"]))(
			"answers 404 to %s without a key",
			async (_title, path) => {
				await expectError(
					await service().call(path, { authorization: null }),
					"not_found",
				);
			},
		);
	});
});

function withoutDate({ headers }: Response): Record<string, string> {
	const { date: _, ...others } = Object.fromEntries(headers);
	return others;
}
