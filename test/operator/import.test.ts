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
	const done = (
		added: number,
		changed = 0,
		unchanged = 0,
		createdCategories: readonly string[] = [],
	) => [
		200,
		{
			...{ added, changed, unchanged, blankNames: 0, createdCategories },
			...{ errors: [], ignored: [] },
		},
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
			const by = { kind: "key", keyId: expect.any(Number), name: "test" };
			expect((await history.json()).entries).toMatchObject([
				{ kind: "changed", by, before: { name: "Ada" }, pet: { name: "Eve" } },
				{ kind: "added", by },
			]);
		});

		test("lists errors with line, field, value and message, counts the correct lines in a dry run, and does nothing", async () => {
			const before = await exported();
			const file =
				"id,name,categoryId,status\n,Ada,1,\n,Bo,1E+15,gone\n4611686018427387904,Cy,1,\n,Di,2,\n4611686018427387904,Ed,1,\n";
			const query = "format=csv&mode=update";
			const message = expect.any(String);
			const errors = [
				{
					...{ line: 3, field: "categoryId", value: "1E+15" },
					message: expect.stringContaining("shortened"),
				},
				{ line: 3, field: "status", value: "gone", message },
				{ line: 4, field: "id", value: "4611686018427387904", message },
				{ line: 6, field: "id", value: "4611686018427387904", message },
			];
			expect(await reply(`${query}&dryRun=true`, file)).toMatchObject([
				...[422, { added: 2, changed: 0, unchanged: 0, errors }],
			]);
			const refused = await send(query, file);
			const body = await refused.clone().json();
			expect(body.errors).toMatchObject(errors.toSpliced(2, 1));
			expect(body).not.toHaveProperty("added");
			await expectError(refused, "invalid_file", /3 errors/);
			const coloured = "name,categoryId,colour\nRex,1,red\n";
			expect(await reply("format=csv", coloured)).toMatchObject([
				422,
				{ errors: [{ message: expect.stringMatching(/ ignoreUnknown /) }] },
			]);
			await expectError(
				await send("format=ndjson&ignoreUnknown=true", "{}"),
				"invalid_parameter",
				/^ignoreUnknown /,
			);
			// Each line has an error, or lacks the id that the other has.
			const mixed = "id,name,categoryId,status\n1,Rex,1,lost\n,Rex,1,sold\n";
			expect(await reply("format=csv&mode=update", mixed)).toMatchObject([
				...[422, { errors: [{ line: 2, field: "status" }] }],
			]);
			const ignored = "format=csv&dryRun=true&ignoreUnknown=true";
			expect(await reply(ignored, coloured)).toEqual(done(1));
			const ids = "id,name,categoryId\n1,Rex,1\n";
			const unsaid = await send("format=csv", ids);
			await expectError(
				unsaid,
				"invalid_parameter",
				/Use mode=update .* or mode=add /,
			);
			expect(await exported()).toEqual(before);
			expect(await reply("format=csv&mode=add", ids)).toEqual(done(1));
		});

		test("reads the format that the Content-Type says", async () => {
			for (const [query, type, status] of [
				["", "Text/CSV; charset=utf-8", 200],
				["format=ndjson", "text/csv", 400],
				["", undefined, 400],
				["", "application/x-ndjson", 422],
				["", "application/json", 415],
			] as const) {
				const path = `/operator/v1/pets/import?dryRun=true&${query}`;
				const answer = await service().call(path, {
					method: "POST",
					body: "name,categoryId\nRex,1\n",
					headers: { "Content-Type": type },
				});
				expect([query, type, answer.status]).toEqual([query, type, status]);
			}
		});

		test("takes names of categories, and makes unknown ones if it is told to", async () => {
			const name = `Dogs ${crypto.randomUUID()}`;
			const file = `name,category\nRex,${name}\nTom,${name.toUpperCase()}\nTim,7\n`;
			const message = expect.stringMatching(
				/ on 2 lines; .*\(createCategories\)\.$/,
			);
			const error = { line: 2, field: "category", value: expect.any(String) };
			expect(await reply("format=csv&dryRun=true", file)).toMatchObject([
				422,
				{ added: 1, errors: [{ ...error, message }] },
			]);
			const make = "format=csv&createCategories=true";
			const all = done(3, 0, 0, [name]);
			expect(await reply(`${make}&dryRun=true`, file)).toEqual(all);
			expect(await reply(`${make}&dryRun=true`, `${file}a\n`)).toMatchObject([
				422,
				{ added: 3, createdCategories: [name], errors: [{ line: 5 }] },
			]);
			expect(await reply(make, file)).toEqual(all);
			const [rex, tom, tim] = (await exported())
				.slice(-3)
				.map((line) => JSON.parse(line).categoryId);
			expect([rex, tim]).toEqual([tom, 7]);
			const { categories } = await (
				await service().call("/operator/v1/categories?limit=1000")
			).json();
			expect(categories).toContainEqual({ id: rex, name, pets: 2 });
		});

		test("names the unknown members of NDJSON with the number of their lines, also of a file with errors", async () => {
			const ignored = [
				{ name: "catgoryId", lines: 2 },
				{ name: "category", lines: 1 },
				{ name: "\ufffd".padEnd(40, "x"), lines: 1 },
			];
			const file = `{"id":1,"version":1,"name":"a","categoryId":1,"catgoryId":2}
{"name":"b","categoryId":1,"status":"sold","catgoryId":2,"category":"Dogs","\\ud800${"x".repeat(50)}":1}\n`;
			const query = "format=ndjson&mode=add";
			for (const dryRun of ["&dryRun=true", ""])
				expect(await reply(query + dryRun, file)).toMatchObject([
					...[200, { added: 2, ignored }],
				]);
			for (const dryRun of ["&dryRun=true", ""])
				expect(await reply(query + dryRun, `${file}{"name":1}`)).toMatchObject([
					...[422, { errors: [{ line: 3 }, { line: 3 }], ignored }],
				]);
			const many = `{${Array.from({ length: 30 }, (_, at) => `"x${at}":1`)}}`;
			const [, refused] = await reply(query, many);
			expect(refused.ignored).toHaveLength(20);
		});

		test("reads the categories of an export for Excel, also those that Excel would take for numbers or dates", async () => {
			const names = ["1E+15", "1-2", "12:30", "7 %", "2nd hand", "-"];
			const ids = names.map((_, at) => 7_000 + at);
			for (const [at, name] of names.entries()) {
				await service().call(`/operator/v1/categories/${ids[at]}`, {
					method: "PUT",
					body: JSON.stringify({ name }),
				});
				await send("format=csv", `name,categoryId\nRex,${ids[at]}\n`);
			}
			const sheet = await service().call(
				"/operator/v1/pets/export?format=csv&excel=true",
			);
			const bytes = await sheet.bytes();
			const cells = Buffer.from(bytes)
				.toString("utf16le")
				.trim()
				.split("\r\n")
				.slice(-names.length)
				.map((row) => row.split("\t")[2]);
			expect(cells).toEqual(["7000", "7001", "7002", "7003", "2nd hand", "-"]);
			const [status, { added }] = await reply("format=csv&mode=add", bytes);
			expect([status, added > names.length]).toEqual([200, true]);
			const read = (await exported()).slice(-names.length);
			expect(read.map((line) => JSON.parse(line).categoryId)).toEqual(ids);
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
				{ errors: [{ line: 2, field: "version" }] },
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
				expect(await reply(query + dryRun, file)).toMatchObject([
					...[200, { added: 0, finishedAt: expect.any(String) }],
				]);
				const other = await send(query + dryRun, `${file}Tom,1\n`);
				await expectError(other, "conflict");
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
		const many = `name,categoryId\n${"a,1\n".repeat(maxHttpImportAnimals + 1)}`;
		for (const file of [
			`name,categoryId\n"${"x".repeat(maxImportBytes)}`,
			many,
		])
			await expectError(await send("format=csv", file), "payload_too_large");
		const together = await Promise.all(
			[1, 2].map(() => send("format=csv&dryRun=true", many)),
		);
		const statuses = together.map(({ status }) => status);
		expect(statuses.toSorted()).toEqual([413, 503]);
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
