// Many changes and removals at once.
import { describe, expect, test } from "bun:test";
import { add, expectError, idOf, onEachService } from "../service.ts";

const batch = "/operator/v1/pets/batch";
const rex = '{"name":"Rex","categoryId":1}';

onEachService((service) => {
	const send = (changes: unknown) =>
		service().call(batch, {
			method: "POST",
			body: typeof changes === "string" ? changes : JSON.stringify({ changes }),
		});
	const addOne = async () => Number(idOf(await add(service(), rex)));
	const read = async (id: number) => service().call(`/operator/v1/pets/${id}`);
	const readVersion = async (id: number): Promise<number> =>
		(await (await read(id)).json()).version;

	describe("Many changes at once", () => {
		test("changes and removes animals in the order of the entries", async () => {
			const [one, two] = [await addOne(), await addOne()];
			const done = await send([
				{ petId: one, set: { status: "pending" } },
				{ petId: two, remove: true },
				{ petId: one, set: { status: "sold", name: "Rexi" } },
			]);
			expect([done.status, await done.json()]).toEqual([
				200,
				{
					changed: 2,
					removed: 1,
					versions: [expect.any(Number), 0, expect.any(Number)],
				},
			]);
			expect(await (await read(one)).json()).toMatchObject({
				name: "Rexi",
				status: "sold",
			});
			expect((await read(two)).status).toBe(404);
		});

		test("does nothing if one animal does not exist, and names its index", async () => {
			const [one, two] = [await addOne(), await addOne()];
			await send([{ petId: two, remove: true }]);
			const version = await readVersion(one);
			const refused = await send([
				{ petId: one, set: { status: "sold" } },
				{ petId: one, set: {} },
				{ petId: two, set: {} },
			]);
			const message = new RegExp(
				`^No animal has the id ${two} \\(petId of changes\\[2\\]\\). Nothing was done.$`,
			);
			expect(await refused.clone().json()).toMatchObject({ index: 2 });
			await expectError(refused, "not_found", message);
			expect(await readVersion(one)).toBe(version);
		});

		test("answers 404 to an entry for an animal that an earlier entry removes", async () => {
			const one = await addOne();
			const refused = await send([
				{ petId: one, remove: true },
				{ petId: one, set: { name: "Rexi" } },
			]);
			await expectError(refused, "not_found", /changes\[1\]/);
			expect((await read(one)).status).toBe(200);
		});

		test("does nothing if one animal has another version, names the index and shows the animal", async () => {
			const [one, two] = [await addOne(), await addOne()];
			const [version, old] = [await readVersion(one), await readVersion(two)];
			await send([{ petId: two, set: { status: "sold" } }]);
			const refused = await send([
				{ petId: one, set: { status: "sold" }, version },
				{ petId: two, remove: true, version: old },
			]);
			const body = await refused.clone().json();
			const message =
				/^The animal of changes\[1\] has changed: it has another version/;
			await expectError(refused, "precondition_failed", message);
			expect(body.pet).toEqual(await (await read(two)).json());
			expect(body).toMatchObject({
				index: 1,
				pet: { id: two, status: "sold" },
			});
			expect(await readVersion(one)).toBe(version);
			const now = await readVersion(two);
			expect(now).toBe(body.pet.version);
			const done = await send([
				{ petId: one, set: { status: "sold" }, version },
				{ petId: one, remove: true, version },
				{ petId: two, remove: true, version: now },
			]);
			expect(await done.json()).toEqual({
				changed: 1,
				removed: 2,
				versions: [0, 0, 0],
			});
		});

		test("shows the animal of a refused entry without the changes of entries before it", async () => {
			const one = await addOne();
			const version = await readVersion(one);
			const refused = await send([
				{ petId: one, set: { name: "Not done" }, version },
				{ petId: one, remove: true, version: version + 1 },
			]);
			expect(refused.status).toBe(412);
			expect((await refused.json()).pet).toEqual(
				await (await read(one)).json(),
			);
		});

		test("names the first entry that failed, whatever the reason", async () => {
			const [one, two, gone] = [await addOne(), await addOne(), await addOne()];
			await send([{ petId: gone, remove: true }]);
			const stale = { petId: one, set: {}, version: 2 ** 53 - 1 };
			const absent = await send([{ petId: gone, remove: true }, stale]);
			await expectError(absent, "not_found", /changes\[0\]/);
			const removed = await send([
				{ petId: two, remove: true },
				{ petId: two, set: {}, version: await readVersion(two) },
				stale,
			]);
			await expectError(removed, "not_found", /changes\[1\]/);
			const differs = await send([stale, { petId: gone, remove: true }]);
			await expectError(differs, "precondition_failed", /changes\[0\]/);
		});

		test("executes one of several batches with the same versions at the same time", async () => {
			const ids = [await addOne(), await addOne()];
			const versions = await Promise.all(ids.map(readVersion));
			const replies = await Promise.all(
				Array.from({ length: 4 }, (_, count) =>
					send(
						ids.map((petId, index) => ({
							petId,
							version: versions[index],
							set: { name: `Rex ${count}` },
						})),
					),
				),
			);
			const statuses = replies.map(({ status }) => status).sort();
			expect(statuses).toEqual([200, 412, 412, 412]);
			const names = await Promise.all(
				ids.map(async (id) => (await (await read(id)).json()).name),
			);
			expect(new Set(names).size).toBe(1);
		});

		test("accepts 1,000 entries, and refuses more, or a body above 1 MiB", async () => {
			const one = await addOne();
			const entry = { petId: one, set: { name: "x".repeat(900) } };
			const done = await send(Array.from({ length: 1000 }, () => entry));
			const { changed, versions } = await done.json();
			expect([changed, new Set(versions).size]).toEqual([1000, 1]);
			expect(versions).toHaveLength(1000);
			const tooMany = await send(Array.from({ length: 1001 }, () => entry));
			await expectError(tooMany, "invalid_body", /1 to 1,000 entries/);
			const name = "x".repeat(65_536);
			const tooLong = await send([{ petId: one, set: { name } }]);
			const message = /^changes\[0\].set.name must not be longer than 64 KiB /;
			await expectError(tooLong, "invalid_body", message);
			const tooLarge = await send(" ".repeat(1024 * 1024 + 1));
			await expectError(tooLarge, "payload_too_large", /1 MiB/);
		});

		test.each([
			["[]", "The body must be a JSON object."],
			["{}", "changes must be an array of 1 to 1,000 entries."],
			['{"changes":[]}', "changes must be an array of 1 to 1,000 entries."],
			['{"changes":[1]}', "changes[0] must be a JSON object."],
			[
				'{"changes":[{"petId":"1","remove":true}]}',
				"changes[0].petId must be a whole number from 1 to 9223372036854775807.",
			],
			[
				'{"changes":[{"petId":0,"remove":true}]}',
				"changes[0].petId must be a whole number from 1 to 9223372036854775807.",
			],
			[
				'{"changes":[{"petId":1}]}',
				"changes[0] must have either set or remove.",
			],
			[
				'{"changes":[{"petId":1,"set":{},"remove":true}]}',
				"changes[0] must have either set or remove.",
			],
			[
				'{"changes":[{"petId":1,"remove":false}]}',
				"changes[0].remove must be true.",
			],
			[
				'{"changes":[{"petId":1,"set":{}},{"petId":1,"set":{"name":5,"status":null}}]}',
				"changes[1].set.name must be a string. changes[1].set.status cannot be null.",
			],
			[
				'{"changes":[{"petId":1,"set":null}]}',
				"changes[0].set must be a JSON object.",
			],
			[
				'{"changes":[{"petId":1,"set":{},"ifMatch":"*"}]}',
				"changes[0].ifMatch is unknown; the known ones are petId, set, version, remove.",
			],
			[
				'{"changes":[{"petId":1,"set":{}}],"dryRun":true}',
				"dryRun is unknown; the known ones are changes.",
			],
			[
				'{"changes":[{"petId":1,"set":{},"version":"1"}]}',
				"changes[0].version must be a whole number from 1 to 9223372036854775807.",
			],
			[
				'{"changes":[{"petId":1,"set":{},"version":0}]}',
				"changes[0].version must be a whole number from 1 to 9223372036854775807.",
			],
		])("refuses %s; names rule and index", async (body, message) => {
			const exact = new RegExp(`^${RegExp.escape(message)}$`);
			const refused = await send(body);
			const { index } = await refused.clone().json();
			const [, expected] = /^changes\[(\d)\]/.exec(message) ?? [];
			expect(index?.toString()).toBe(expected);
			await expectError(refused, "invalid_body", exact);
		});
	});
});
