// importPets: files over HTTP, read and written as by the command line.

import { describe, expect, test } from "bun:test";
import { maxImportBytes } from "../../src/limits.ts";
import { maxHttpImportAnimals } from "../../src/operator/import-pets.ts";
import { expectError, onEachService, openService } from "../service.ts";

onEachService((service) => {
	const send = (query: string, body: string | Uint8Array) =>
		service().call(`/operator/v1/pets/import?${query}`, {
			method: "POST",
			body: typeof body === "string" ? body : Uint8Array.from(body),
			headers: { "Content-Type": undefined },
		});
	const reply = async (query: string, body: string | Uint8Array) => {
		const answer = await send(query, body);
		return [answer.status, await answer.json()];
	};
	const exported = async () => {
		const answer = await service().call("/operator/v1/pets/export");
		return (await answer.text()).split("\n").slice(0, -1);
	};
	const done = (added: number, changed = 0, unchanged = 0) => [
		200,
		{ added, changed, unchanged, errors: [] },
	];

	describe("Import over HTTP", () => {
		test("adds and updates animals, and only counts them in a dry run", async () => {
			const before = (await exported()).length;
			const file = "name;categoryId\r\nAda;1\r\nBo;2\r\n";
			expect(await reply("format=csv&dryRun=true", file)).toEqual(done(2));
			expect(await exported()).toHaveLength(before);
			expect(await reply("format=csv", file)).toEqual(done(2));
			const pets = (await exported())
				.slice(before)
				.map((line) => JSON.parse(line));
			expect(pets.map(({ name }) => name)).toEqual(["Ada", "Bo"]);
			const [ada, bo] = pets.map(({ id }) => id);
			const update = `{"id":${ada},"name":"Eve"}\n{"id":${bo},"status":"available"}\n{"name":"Cy","categoryId":3}\n`;
			const query = "format=ndjson&mode=update";
			expect(await reply(`${query}&dryRun=true`, update)).toEqual(
				done(1, 1, 1),
			);
			expect(await exported()).toHaveLength(before + 2);
			expect(await reply(query, update)).toEqual(done(1, 1, 1));
			expect(await exported()).toHaveLength(before + 3);
			const history = await service().call(`/operator/v1/pets/${ada}/history`);
			expect(await history.json()).toMatchObject({
				entries: [
					{
						kind: "changed",
						by: { kind: "key" },
						before: { name: "Ada" },
						pet: { name: "Eve" },
					},
					{ kind: "added", by: { kind: "key" } },
				],
			});
		});

		test("lists errors with line, field, value and message, and does nothing", async () => {
			const before = await exported();
			const bad = "name,categoryId,status\nRex,1,sold\nTom,1E+15,gone\n";
			const refused = await send("format=csv", bad);
			expect(await refused.clone().json()).toMatchObject({
				errors: [
					{
						line: 3,
						field: "categoryId",
						value: "1E+15",
						message: expect.stringContaining("whole number"),
					},
					{
						line: 3,
						field: "status",
						value: "gone",
						message: expect.stringContaining("available"),
					},
				],
			});
			await expectError(refused, "invalid_file", /2 errors/);
			const unknown = "id,name\n1,Rex\n4611686018427387904,Tom\n";
			for (const dryRun of ["", "&dryRun=true"])
				expect(
					await reply(`format=csv&mode=update${dryRun}`, unknown),
				).toMatchObject([
					422,
					{
						errors: expect.arrayContaining([
							{
								line: 3,
								field: "id",
								value: "4611686018427387904",
								message: "id belongs to no animal.",
							},
						]),
					},
				]);
			const coloured = "name,categoryId,colour\nRex,1,red\n";
			expect(await reply("format=csv", coloured)).toMatchObject([
				422,
				{ errors: [{ line: 1, message: expect.stringContaining("colour") }] },
			]);
			const ignored = "format=csv&dryRun=true&ignoreUnknown=true";
			expect(await reply(ignored, coloured)).toEqual(done(1));
			expect((await send("ignoreUnknown=true", "")).status).toBe(400);
			expect(await exported()).toEqual(before);
		});

		test("counts the animals of the correct lines beside the errors in a dry run", async () => {
			const file =
				"id,name,categoryId\n,Ada,1\n,Bo,x\n4611686018427387904,Cy,1\n,Di,2\n";
			const query = "format=csv&mode=update";
			const errors = [
				expect.objectContaining({ line: 3, field: "categoryId" }),
				expect.objectContaining({ line: 4, field: "id" }),
			];
			expect(await reply(`${query}&dryRun=true`, file)).toMatchObject([
				422,
				{ added: 2, changed: 0, unchanged: 0, errors },
			]);
			expect((await reply(query, file))[1]).not.toHaveProperty("added");
		});

		test("reads the format that the Content-Type says", async () => {
			const file = "name,categoryId\nRex,1\n";
			const of = (query: string, type: string | undefined, body = file) =>
				service().call(`/operator/v1/pets/import?dryRun=true${query}`, {
					method: "POST",
					body,
					headers: { "Content-Type": type },
				});
			for (const [query, type] of [
				["", "text/csv"],
				["", "Text/CSV; charset=utf-8"],
				["&format=csv", "text/csv"],
				["&format=csv", undefined],
			] as const)
				expect((await of(query, type)).status).toBe(200);
			const json = await of("", "application/x-ndjson", "{}");
			expect(json.status).toBe(422);
			for (const [query, type] of [
				["&format=ndjson", "text/csv"],
				["", undefined],
				["&format=xml", "text/csv"],
			] as const)
				await expectError(
					await of(query, type),
					"invalid_parameter",
					/^format /,
				);
			for (const type of ["application/json", "text/plain"])
				await expectError(await of("", type), "unsupported_media_type", /csv/);
			await expectError(await of("", "text/csv", ""), "invalid_body");
		});

		test("needs a mode for a file with ids, and refuses an update without ids", async () => {
			const before = await exported();
			const ids = "id,name,categoryId\n1,Rex,1\n";
			const refused = await send("format=csv", ids);
			await expectError(refused, "invalid_parameter", /mode=update/);
			const none = await send("format=csv&mode=update", "id,name\n,Rex\n");
			await expectError(none, "invalid_file");
			expect(await exported()).toEqual(before);
			expect(await reply("format=csv&mode=add", ids)).toEqual(done(1));
		});

		test("takes names of categories, and makes unknown ones if it is told to", async () => {
			const name = `Dogs ${crypto.randomUUID()}`;
			const file = `name,category\nRex,${name}\nTom,${name.toUpperCase()}\nTim,7\n`;
			expect(await reply("format=csv", file)).toMatchObject([
				422,
				{
					errors: [
						{ line: 2, field: "category", value: expect.any(String) },
						{ line: 3, field: "category" },
					],
				},
			]);
			const make = "format=csv&createCategories=true";
			expect(await reply(`${make}&dryRun=true`, file)).toEqual(done(3));
			expect(await reply(make, file)).toEqual(done(3));
			const [rex, tom, tim] = (await exported())
				.slice(-3)
				.map((line) => JSON.parse(line).categoryId);
			expect([rex, tim]).toEqual([tom, 7]);
			const { categories } = await (
				await service().call("/operator/v1/categories?limit=1000")
			).json();
			expect(categories).toContainEqual({ id: rex, name, pets: 2 });
		});

		test("lets two people edit one export: a change of the other is an error of its line, and the rest can be undone", async () => {
			const call = async (path: string, method = "GET", body?: string) =>
				service().call(`/operator/v1${path}`, { method, body });
			const add = "name,categoryId\nAda,1\nBo,1\nCy,1\n";
			await send("format=csv", add);
			const ids = (await exported()).slice(-3).map((l) => JSON.parse(l).id);
			const sheet = await (await call("/pets/export?format=csv")).text();
			const [head = "", ...rows] = sheet.split("\r\n").slice(0, -1);
			const own = rows.slice(-3);
			await call(`/pets/${ids[0]}`, "PATCH", '{"status":"sold"}');
			const edited = own.map((row) => row.replace("available", "pending"));
			const both = [head, ...edited].join("\n");
			expect(await reply("format=csv&mode=update", both)).toMatchObject([
				422,
				{
					errors: [
						{
							line: 2,
							field: "version",
							message: expect.stringContaining("changed since the export"),
						},
					],
				},
			]);
			const statuses = async () =>
				(await exported()).slice(-3).map((l) => JSON.parse(l).status);
			expect(await statuses()).toEqual(["sold", "available", "available"]);
			const others = [head, ...edited.slice(1)].join("\n");
			const updated = await send("format=csv&mode=update", others);
			expect(await statuses()).toEqual(["sold", "pending", "pending"]);
			const edit = updated.headers.get("Edit-Id");
			expect((await call(`/edits/${edit}/undo`, "POST")).status).toBe(200);
			expect(await statuses()).toEqual(["sold", "available", "available"]);
		});

		test("imports a file once per importId, and refuses the importId for another file", async () => {
			const before = (await exported()).length;
			const file = "name,categoryId\nRex,1\n";
			const query = `format=csv&importId=${crypto.randomUUID()}`;
			expect(await reply(query, file)).toEqual(done(1));
			for (const dryRun of ["", "&dryRun=true"]) {
				expect(await reply(query + dryRun, file)).toEqual([
					200,
					{
						added: 0,
						changed: 0,
						unchanged: 0,
						errors: [],
						finishedAt: expect.stringMatching(/^\d{4}-.+Z$/),
					},
				]);
				await expectError(
					await send(query + dryRun, `${file}Tom,1\n`),
					"conflict",
					/another file/,
				);
			}
			expect(await exported()).toHaveLength(before + 1);
		});
	});
});

describe("Import over HTTP", () => {
	test("limits the bytes and the animals of a file, and imports one file at a time", async () => {
		const { call, close } = await openService("over a socket");
		const send = (query: string, body: string) =>
			call(`/operator/v1/pets/import?${query}`, {
				method: "POST",
				body,
				headers: { "Content-Type": "text/csv" },
			});
		await expectError(
			await send(
				"format=csv",
				`name,categoryId\n"${"x".repeat(maxImportBytes)}`,
			),
			"payload_too_large",
			/64 MiB/,
		);
		const many = `name,categoryId\n${"a,1\n".repeat(maxHttpImportAnimals + 1)}`;
		await expectError(
			await send("format=csv", many),
			"payload_too_large",
			/100,000 animals/,
		);
		const [one, other] = await Promise.all([
			send("format=csv&dryRun=true", many),
			send("format=csv&dryRun=true", many),
		]);
		expect([one?.status, other?.status].toSorted()).toEqual([413, 503]);
		await close();
	}, 60_000);

	test("answers reads during an import, and executes the adds that arrive during it", async () => {
		const { call, close } = await openService("over a socket");
		const file = `name,categoryId\n${"Rex,1\n".repeat(15_000)}`;
		const imported = call("/operator/v1/pets/import?format=csv", {
			method: "POST",
			body: file,
			headers: { "Content-Type": "text/csv" },
		});
		let isDone = false;
		imported.finally(() => {
			isDone = true;
		});
		const adds: Promise<Response>[] = [];
		while (!isDone) {
			expect((await call("/v1/pets?limit=1")).status).toBe(200);
			const body = '{"name":"Tom","categoryId":1}';
			adds.push(call("/v1/pets", { method: "POST", body }));
		}
		expect((await imported).status).toBe(200);
		expect(adds.length).toBeGreaterThan(3);
		for (const added of await Promise.all(adds)) expect(added.status).toBe(201);
		await close();
	}, 60_000);
});
