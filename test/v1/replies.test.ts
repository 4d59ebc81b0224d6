// Replies: error bodies, paging, conditional reads, safe retries, deprecation, cross-origin use.
import { describe, expect, test } from "bun:test";
import { operationIds } from "../../src/contract/v1/operations.ts";
import { errorStatus } from "../../src/domain/errors.ts";
import {
	add,
	expectError,
	idOf,
	onEachService,
	openService,
	type Service,
} from "../service.ts";
import { listPets } from "../store/engines.ts";

const newPet = '{"name":"Rex","categoryId":1}';

onEachService((service) => {
	describe("`message`", () => {
		test("names the field in the message of an error, and shows no SQL, no path of the server and no key", async () => {
			const key = await service().makeKey();
			for (const [path, body] of [
				["/v1/pets?limit=0", undefined],
				["/v1/pets?cursor=x", undefined],
				["/v1/pets/0", undefined],
				["/v1/pets", '{"name":'],
				["/v1/pets", '{"name":5}'],
			] as const) {
				const response = await service().call(path, {
					method: body === undefined ? "GET" : "POST",
					body,
					authorization: `Bearer ${key}`,
				});
				const { message } = await response.json();
				expect(message).toMatch(/limit|cursor|petId|body|name/);
				expect(message).not.toMatch(/SELECT|SQLITE|node_modules|src\/|pet_/);
			}
		});
	});

	describe("Member order", () => {
		test("sends the members of Pet and Error in the documented order", async () => {
			const pet = await add(
				service(),
				'{"status":"sold","categoryId":1,"name":"x"}',
			);
			expect(Object.keys(JSON.parse(pet))).toEqual([
				"id",
				"name",
				"categoryId",
				"status",
			]);
			const missing = await service().call("/v1/pets/0");
			expect(Object.keys(await missing.json())).toEqual([
				"code",
				"message",
				"status",
			]);
		});
	});

	describe("201", () => {
		test("sends the path of the animal in the Location of a 201", async () => {
			const response = await service().call("/v1/pets", {
				method: "POST",
				body: newPet,
			});
			const pet = await response.text();
			const location = response.headers.get("Location") ?? "";
			expect(location).toBe(`/v1/pets/${idOf(pet)}`);
			expect(await (await service().call(location)).text()).toBe(pet);
		});
	});

	describe("Paging", () => {
		test.each(["limit=1", "limit=7", "limit=100", "limit=3&status=sold"])(
			"shows every animal exactly once in a walk with %s, whatever is added during it",
			async (query) => {
				for (const status of ["sold", "pending", "sold", "sold", "available"])
					await add(
						service(),
						`{"name":"x","categoryId":1,"status":"${status}"}`,
					);
				const status = query.includes("status") ? "sold" : undefined;
				const there = await listPets(service().store.catalogue, {
					limit: 10_000,
					maxId: 2n ** 63n - 1n,
					status,
				});
				const seen = await walk(service(), `/v1/pets?${query}`, () =>
					add(service(), '{"name":"new","categoryId":1,"status":"sold"}'),
				);
				expect(seen).toEqual(there.map(({ id }) => id));
			},
		);
		test("sends no Link with the last page", async () => {
			const all = await service().call("/v1/pets?limit=100&status=pending");
			expect((await all.json()).length).toBeLessThan(100);
			expect(all.headers.has("Link")).toBe(false);
		});
		test("sends no Link with a last page that is exactly full", async () => {
			const alone = await openService("in process");
			await add(alone, newPet);
			await add(alone, newPet);
			const list = await alone.call("/v1/pets?limit=2");
			expect(list.headers.has("Link")).toBe(false);
			await alone.close();
		});
		test("accepts another limit for a further page", async () => {
			const cursor = await cursorOf(service(), "limit=1");
			const list = await service().call(`/v1/pets?limit=2&cursor=${cursor}`);
			expect(await list.json()).toHaveLength(2);
		});
		test("refuses a cursor with another status filter", async () => {
			const unfiltered = await cursorOf(service(), "limit=1");
			const filtered = await cursorOf(service(), "limit=1&status=sold");
			for (const query of [
				`status=sold&cursor=${unfiltered}`,
				`cursor=${filtered}`,
				`status=pending&cursor=${filtered}`,
			])
				await expectError(
					await service().call(`/v1/pets?${query}`),
					"invalid_parameter",
					/^cursor/,
				);
		});
		test("refuses a broken cursor", async () => {
			const cursor = await cursorOf(service(), "limit=1");
			const broken = Array.from(cursor, (_, place) => [
				cursor.slice(0, place),
				cursor.slice(0, place) +
					(cursor[place] === "A" ? "B" : "A") +
					cursor.slice(place + 1),
			]).flat();
			for (const text of [...broken, `${cursor}A`, `${cursor}=`, "1", "%20"])
				await expectError(
					await service().call(`/v1/pets?cursor=${text}`),
					"invalid_parameter",
					/^cursor/,
				);
		});
	});

	describe("Conditional reads", () => {
		test.each(["/v1/pets", "/v1/pets?limit=2&status=available", "/v1/pets/1"])(
			"answers 304 to %s with If-None-Match while nothing has changed",
			async (path) => {
				for (let count = 0; count < 3; count++) await add(service(), newPet);
				const first = await service().call(path);
				const tag = first.headers.get("ETag") ?? "";
				expect(tag).toMatch(/^"[\w-]+"$/);
				expect(first.headers.get("Cache-Control")).toBe("private, no-cache");

				for (const names of [
					...[tag, `W/${tag}`, "*", `"x", ${tag}`, `, "x" ,,${tag} ,`],
					`${'"x",'.repeat(1_000)}${tag}`,
				]) {
					const again = await service().call(path, {
						headers: { "If-None-Match": names },
					});
					expect([names, again.status, await again.text()]).toEqual([
						names,
						304,
						"",
					]);
					expect(again.headers.has("Content-Type")).toBe(false);
					for (const name of ["ETag", "Cache-Control", "Link", "Sunset"])
						expect(again.headers.get(name)).toBe(first.headers.get(name));
				}
				for (const names of [
					...['"x"', tag.slice(1, -1), "", `"${tag}`, `"x" ${tag}`],
					...[`${tag} x`, `x ${tag}`, `*, ${tag}`, `w/${tag}`, `${tag}"x"`],
					...[`"x y", ${tag}`, `${tag}, x`, `${tag}; ${tag}`],
				]) {
					const again = await service().call(path, {
						headers: { "If-None-Match": names },
					});
					expect([names, again.status]).toEqual([names, 200]);
				}
			},
		);
		test("answers 200 to a list with If-None-Match after a change", async () => {
			const first = await service().call("/v1/pets");
			await add(service(), newPet);
			const again = await service().call("/v1/pets", {
				headers: { "If-None-Match": first.headers.get("ETag") ?? "" },
			});
			expect(again.status).toBe(200);
			expect(again.headers.get("ETag")).not.toBe(first.headers.get("ETag"));
		});
	});

	describe("Safe retries", () => {
		const post = (
			idempotencyKey: string,
			body = newPet,
			authorization?: string,
		) =>
			service().call("/v1/pets", {
				method: "POST",
				body,
				headers: { "Idempotency-Key": idempotencyKey },
				...(authorization && { authorization }),
			});

		test("repeats the first reply to an add with the same Idempotency-Key", async () => {
			const first = await post("again", '{"name":"Rex","categoryId":10}');
			// The same animal in different JSON. The service compares the animals, not the texts.
			const second = await post(
				"again",
				' {"categoryId":1e1,"x":1,"status":"available","name":"Rex"}',
			);
			expect(first.headers.has("Idempotency-Replayed")).toBe(false);
			expect(second.headers.get("Idempotency-Replayed")).toBe("true");
			expect(second.status).toBe(201);
			expect(second.headers.get("Location")).toBe(
				first.headers.get("Location"),
			);
			expect(await second.text()).toBe(await first.text());
		});
		test.each([
			'{"name":"Max","categoryId":1}',
			'{"name":"Rex","categoryId":2}',
			'{"name":"Rex","categoryId":1,"status":"sold"}',
		])(
			"answers 422 to an Idempotency-Key with another animal: %s",
			async (other) => {
				await post("other", newPet);
				const newest = await newestOf(service());
				await expectError(
					await post("other", other),
					"idempotency_mismatch",
					/Idempotency-Key/,
				);
				expect(await newestOf(service())).toBe(newest);
			},
		);
		test("adds one animal for 32 adds with one Idempotency-Key at the same time", async () => {
			const newest = idOf(await add(service(), newPet));
			const replies = await Promise.all(
				Array.from({ length: 32 }, () => post("at-once")),
			);
			const bodies = await Promise.all(replies.map((reply) => reply.text()));
			expect(new Set(bodies).size).toBe(1);
			expect(idOf(bodies[0] ?? "")).toBe(newest + 1n);
			const replayed = replies.filter((reply) =>
				reply.headers.has("Idempotency-Replayed"),
			);
			expect(replayed).toHaveLength(31);
		});
		test("each API key has its own Idempotency-Keys", async () => {
			const one = await post("shared");
			const other = await post(
				"shared",
				newPet,
				`Bearer ${await service().makeKey()}`,
			);
			expect(other.headers.has("Idempotency-Replayed")).toBe(false);
			expect(idOf(await other.text())).toBe(idOf(await one.text()) + 1n);
		});
		test("does not store the Idempotency-Key of a refused add", async () => {
			await expectError(await post("refused", '{"name":1}'), "invalid_body");
			const accepted = await post("refused");
			expect(accepted.status).toBe(201);
			expect(accepted.headers.has("Idempotency-Replayed")).toBe(false);
		});
		test.each(["a", "~".repeat(255), '!"#$%&,;=@[]^`{|}'])(
			"accepts the Idempotency-Key %s",
			async (key) => {
				expect((await post(key)).status).toBe(201);
				expect((await post(key)).headers.get("Idempotency-Replayed")).toBe(
					"true",
				);
			},
		);
		test.each(["", "a b", "a, b", "~".repeat(256), "\u00e9", "a\tb"])(
			"refuses the Idempotency-Key %j",
			async (key) => {
				await expectError(
					await post(key),
					"invalid_parameter",
					/^Idempotency-Key must be 1 to 255 visible ASCII characters/,
				);
			},
		);
	});

	describe("Deprecation", () => {
		test.each(["/v1/pets/1", "/v1/pets/0", "/v1/pets/abc"])(
			"sends the deprecation headers with GET %s",
			async (path) => {
				await add(service(), newPet);
				for (const method of ["GET", "HEAD"]) {
					const { headers } = await service().call(path, { method });
					expect(headers.get("Deprecation")).toBe("@1764892800");
					expect(headers.get("Sunset")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
					expect(headers.get("Link")).toBe(
						'</v1/pets>; rel="successor-version"',
					);
				}
			},
		);
		test("sends no deprecation headers with listPets and createPet", async () => {
			for (const options of [{}, { method: "POST", body: newPet }]) {
				const { headers } = await service().call("/v1/pets", options);
				expect(headers.has("Deprecation")).toBe(false);
				expect(headers.has("Sunset")).toBe(false);
				expect(headers.get("Link") ?? "").not.toContain("successor");
			}
		});
	});

	describe("Cross-origin use", () => {
		test("lets any origin read every reply, and exposes the documented headers", async () => {
			for (const [path, authorization] of [
				["/v1/pets", undefined],
				["/v1/pets/0", undefined],
				["/v1/pets", null],
			] as const) {
				const { headers } = await service().call(path, {
					...(authorization === null && { authorization }),
				});
				expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
				const exposed = headers.get("Access-Control-Expose-Headers") ?? "";
				expect(exposed.split(", ").sort()).toEqual([
					"Allow",
					"Date",
					"Deprecation",
					"ETag",
					"Idempotency-Replayed",
					"Link",
					"Location",
					"RateLimit",
					"RateLimit-Policy",
					"Retry-After",
					"Sunset",
					"Vary",
					"WWW-Authenticate",
					"X-Request-Id",
				]);
			}
		});
	});

	describe("Rate limits", () => {
		test("answers 500 requests in a row without a rate limit, and sends no headers of one", async () => {
			for (let count = 0; count < 500; count++) {
				const { status, headers } = await service().call("/v1/pets?limit=1");
				expect(status).toBe(200);
				expect(headers.has("RateLimit")).toBe(false);
				expect(headers.has("RateLimit-Policy")).toBe(false);
			}
		});
	});

	test("does not log errors of a client", async () => {
		await service().call("/v1/pets/0");
		await service().call("/v1/pets", { authorization: null });
		expect(service().log).toEqual([]);
	});
});

describe("`code`", () => {
	test("every error code has its status", () => {
		expect(errorStatus).toEqual({
			invalid_body: 400,
			invalid_parameter: 400,
			unauthenticated: 401,
			forbidden: 403,
			not_found: 404,
			method_not_allowed: 405,
			request_timeout: 408,
			conflict: 409,
			gone: 410,
			precondition_failed: 412,
			payload_too_large: 413,
			unsupported_media_type: 415,
			idempotency_mismatch: 422,
			invalid_file: 422,
			rate_limited: 429,
			internal: 500,
			unavailable: 503,
			ids_exhausted: 507,
		});
	});
});

describe("Deprecation", () => {
	onEachService(
		(service) => {
			test("--without-deprecated removes the deprecated operation", async () => {
				const pet = await add(service(), newPet);
				const response = await service().call(`/v1/pets/${idOf(pet)}`);
				expect(response.headers.has("Deprecation")).toBe(false);
				await expectError(response, "not_found");
				const document = await service().call("/openapi.json");
				expect(Object.keys((await document.json()).paths)).toEqual(["/pets"]);
			});
			describe("201", () => {
				test("sends no Location with a 201 without getPet", async () => {
					for (const replayed of [null, "true"]) {
						const { status, headers } = await service().call("/v1/pets", {
							method: "POST",
							body: newPet,
							headers: { "Idempotency-Key": "no-location" },
						});
						expect(status).toBe(201);
						expect(headers.get("Idempotency-Replayed")).toBe(replayed);
						expect(headers.has("Location")).toBe(false);
					}
				});
			});
		},
		{
			document: { operationIds: operationIds.filter((id) => id !== "getPet") },
		},
	);
});

/** The ids on all pages from this path on. `between` is called after each page. */
async function walk(
	{ call }: Service,
	start: string,
	between: () => Promise<unknown>,
): Promise<bigint[]> {
	const seen: bigint[] = [];
	for (let next: string | undefined = start; next !== undefined; ) {
		const page = await call(next);
		const text = await page.text();
		for (const [, id = ""] of text.matchAll(/\{"id":(\d+),/g))
			seen.push(BigInt(id));
		next = /^<([^>]*)>; rel="next"$/.exec(page.headers.get("Link") ?? "")?.[1];
		await between();
	}
	return seen;
}

async function cursorOf({ call }: Service, query: string): Promise<string> {
	const { headers } = await call(`/v1/pets?${query}`);
	return /cursor=([\w-]+)>/.exec(headers.get("Link") ?? "")?.[1] ?? "none";
}

async function newestOf({ call }: Service): Promise<string> {
	return (await call("/v1/pets?limit=1")).text();
}
