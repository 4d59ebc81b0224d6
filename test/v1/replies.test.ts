// What the conformance cases cannot show: walks through all pages, adds at the same time, and keys of two clients.
import { describe, expect, test } from "bun:test";
import {
	add,
	idOf,
	onEachService,
	openService,
	type Service,
} from "../service.ts";

const newPet = '{"name":"Rex","categoryId":1}';

onEachService((service) => {
	test("answers HEAD with the headers of GET and the length of its body", async () => {
		const added = await add(service(), '{"name":"\u00e9","categoryId":1}');
		for (const path of [
			...["/v1/pets", "/v1/pets?limit=0", `/v1/pets/${idOf(added)}`],
			...["/v1/pets/x", "/v1/nothing", "/healthz", "/openapi.json", "/"],
		]) {
			const get = await service().call(path);
			const head = await service().call(path, { method: "HEAD" });
			const length = Buffer.byteLength(await get.text());
			expect([path, head.status, await head.text()]).toEqual([
				...[path, get.status, ""],
			]);
			expect(withoutDate(head)).toEqual({
				...withoutDate(get),
				"content-length": String(length),
			});
		}
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
				const there = await service().store.catalogue.listPets({
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
	});

	describe("Safe retries", () => {
		const post = async (idempotencyKey: string, key?: string) => {
			const reply = await service().call("/v1/pets", {
				method: "POST",
				body: newPet,
				headers: { "Idempotency-Key": idempotencyKey },
				...(key && { authorization: `Bearer ${key}` }),
			});
			const isReplayed = reply.headers.has("Idempotency-Replayed");
			return { id: idOf(await reply.text()), isReplayed };
		};
		test("adds one animal for 32 adds with one Idempotency-Key at the same time", async () => {
			const replies = await Promise.all(
				Array.from({ length: 32 }, () => post("at-once")),
			);
			expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
			expect(replies.filter(({ isReplayed }) => isReplayed)).toHaveLength(31);
		});
		test("each API key has its own Idempotency-Keys", async () => {
			const one = await post("shared");
			const other = await post("shared", await service().makeKey());
			expect(other).toEqual({ id: one.id + 1n, isReplayed: false });
		});
	});
});

test("sends no Link with a last page that is exactly full", async () => {
	const alone = await openService("in process");
	await add(alone, newPet);
	await add(alone, newPet);
	const list = await alone.call("/v1/pets?limit=2");
	expect(list.headers.has("Link")).toBe(false);
	await alone.close();
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

function withoutDate({ headers }: Response): Record<string, string> {
	const { date: _, ...others } = Object.fromEntries(headers);
	return others;
}
