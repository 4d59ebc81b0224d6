// Finding and counting animals: filters, cursors, and how far one request looks.
import { describe, expect, test } from "bun:test";
import { overloaded } from "../../src/domain/errors.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { toPet } from "../harness/pet.ts";
import {
	expectError,
	onEachService,
	openService,
	type Service,
	startMs,
} from "../service.ts";

interface Reply {
	readonly pets: readonly { id: number; name: string; status: string }[];
	readonly next?: string;
}

async function find({ call }: Service, query: string): Promise<Reply> {
	const response = await call(`/operator/v1/pets${query}`);
	const text = await response.text();
	expect([text, response.status]).toEqual([text, 200]);
	return JSON.parse(text);
}

/** The names of all found animals, over all pages. */
async function findAll(service: Service, query: string): Promise<string[]> {
	const names: string[] = [];
	for (let cursor = ""; ; ) {
		const { pets, next } = await find(service, `?${query}${cursor}`);
		names.push(...pets.map(({ name }) => name));
		if (next === undefined) return names;
		cursor = `&cursor=${next}`;
	}
}

/** Adds animals, the last of them newest. */
async function fill(
	{ store }: Service,
	pets: readonly [name: string, categoryId: bigint, status?: "sold"][],
): Promise<void> {
	for (const [name, categoryId, status = "available"] of pets)
		await store.catalogue.addPet({ pet: toPet({ name, categoryId, status }) });
}

onEachService((service) => {
	describe("Finding animals", () => {
		test("filters and counts by status, category and a part of the name, newest first", async () => {
			await fill(service(), [
				["Bello", 1n],
				["BELLA", 2n, "sold"],
				["Labello", 1n, "sold"],
				["Rex \ufffd", -9223372036854775808n],
			]);
			for (const [query, names] of [
				["", ["Rex \ufffd", "Labello", "BELLA", "Bello"]],
				["?status=sold", ["Labello", "BELLA"]],
				["?name=", ["Rex \ufffd", "Labello", "BELLA", "Bello"]],
				["?name=bell", ["Labello", "BELLA", "Bello"]],
				["?name=BELLO", ["Labello", "Bello"]],
				["?name=bell&categoryId=1", ["Labello", "Bello"]],
				["?name=bell&categoryId=1&status=sold", ["Labello"]],
				["?categoryId=-9223372036854775808", ["Rex \ufffd"]],
				["?categoryId=3", []],
				// SQLite reads a pattern up to its first U+0000 only.
				["?name=%00", []],
			] as const) {
				const { pets, next } = await find(service(), query);
				expect([query, pets.map(({ name }) => name)]).toEqual([
					query,
					[...names],
				]);
				expect(next).toBeUndefined();
				const counted = await service().call(`/operator/v1/pets/count${query}`);
				expect(await counted.json()).toEqual({ pets: names.length });
			}
		});

		test("finds nothing by a text that no name can have, and refuses one that is longer than a name", async () => {
			const change = async (name: string) => {
				const filter = { name };
				const body = JSON.stringify({ filter, expected: 0, remove: true });
				const path = "/operator/v1/pets/batch";
				return service().call(path, { method: "POST", body });
			};
			for (const name of ["\ud800", "\0", "%".repeat(255), "🐕".repeat(255)])
				expect(await (await change(name)).json()).toEqual({
					...{ changed: 0, removed: 0 },
				});
			const rule = /^(filter\.)?name must not have more than 255 characters/;
			for (const name of ["x".repeat(256), "\u0301\u0323".repeat(200_000)])
				await expectError(await change(name), "invalid_body", rule);
			for (const path of ["pets", "pets/count", "pets/export", "history"]) {
				const url = `/operator/v1/${path}?name=${"%F0%9F%90%95".repeat(256)}`;
				await expectError(await service().call(url), "invalid_parameter", rule);
			}
		});

		test("finds one animal by its id, if it fits the rest of the filter", async () => {
			await fill(service(), [["Ida", 5n, "sold"]]);
			const [ida] = (await find(service(), "?limit=1")).pets;
			const id = ida?.id ?? 0;
			for (const query of [`id=${id}`, `id=${id}&status=sold&name=IDA`])
				expect((await find(service(), `?${query}`)).pets).toEqual([
					expect.objectContaining({ id, name: "Ida" }),
				]);
			for (const query of [
				...[`id=${id}&status=pending`, `id=${id}&categoryId=6`],
				...[`id=${id}&name=rex`, `id=${id + 1}`, "id=0", "id=-1"],
			])
				expect([query, await find(service(), `?${query}`)]).toEqual([
					...[query, { pets: [] }],
				]);
		});

		test("ignores upper and lower case in any script, and how accents are encoded", async () => {
			await fill(service(), [
				["ÉCLAIR", 7n],
				["e\u0301clair", 7n],
				["ЖУЧКА", 7n],
				["100%_\\", 7n],
				["ΟΔΟΣΙΑ", 7n],
				["Ρήγας", 7n],
			]);
			for (const [part, names] of [
				["éCLA", ["e\u0301clair", "ÉCLAIR"]],
				["e\u0301cla", ["e\u0301clair", "ÉCLAIR"]],
				["жуч", ["ЖУЧКА"]],
				["%_\\", ["100%_\\"]],
				["_", ["100%_\\"]],
				// In lower case, a sigma at the end of a word is another character.
				["ΟΔΟΣ", ["ΟΔΟΣΙΑ"]],
				["ρήγασ", ["Ρήγας"]],
			] as const) {
				const query = `categoryId=7&name=${encodeURIComponent(part)}`;
				expect(await findAll(service(), query)).toEqual([...names]);
			}
		});

		test("finds every animal exactly once in a walk by cursor", async () => {
			const numbered = Array.from({ length: 115 }, (_, index) => `n${index}`);
			await fill(
				service(),
				numbered.map((name) => [name, 8n] as const),
			);
			const newestFirst = numbered.toReversed();
			expect(await findAll(service(), "categoryId=8&limit=7")).toEqual(
				newestFirst,
			);
			expect(await findAll(service(), "name=N1&limit=7")).toEqual(
				newestFirst.filter((name) => name.startsWith("n1")),
			);
		});
	});
});

test(
	"looks at many animals up to the largest id for 16 requests at once, and refuses one more",
	async () => {
		await using service = await openService("in process");
		const pets = Array.from({ length: 10_050 }, (_, index) =>
			toPet({ id: BigInt(index + 1), name: `n${index}` }),
		);
		await service.store.archive.fill([
			...pets,
			toPet({ id: maxInt64, name: "Max" }),
		]);
		for (const query of ["name=max", `id=${maxInt64}`])
			expect(await findAll(service, query)).toEqual(["Max"]);
		const count = await service.call("/operator/v1/pets/count?name=n");
		expect(await count.text()).toBe('{"pets":10050}');
		const search = {
			filter: { name: "nothing" },
			limit: 10,
			maxId: maxInt64,
			isLimited: false,
		};
		const { findPets } = service.store.catalogue;
		const found = await Promise.allSettled(
			Array.from({ length: 17 }, () => findPets(search)),
		);
		const value = { pets: [], lastId: undefined };
		expect(found.slice(0, 16)).toEqual(
			Array(16).fill({ status: "fulfilled", value }),
		);
		expect(found[16]).toEqual({ status: "rejected", reason: overloaded });
	},
	startMs,
);
