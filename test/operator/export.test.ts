// exportPets: the catalogue as a file over HTTP.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fieldNames } from "../../src/formats/columns.ts";
import { createUnsent } from "../../src/http/parts.ts";
import { createRequestCounts } from "../../src/http/request-counts.ts";
import { createSlots } from "../../src/http/slots.ts";
import {
	maxHttpExports,
	streamExport,
	toExport,
} from "../../src/operator/export-pets.ts";
import { toPet } from "../harness/pet.ts";
import { terminateSessions } from "../harness/postgres/server.ts";
import { openService, type Service, startMs } from "../service.ts";

const path = "/operator/v1/pets/export";
const rex = toPet({ name: 'Rex, "x"' });
const tom = toPet({ name: "Tom", categoryId: 2n, status: "sold" });
const rexJson =
	'{"id":1,"name":"Rex, \\"x\\"","categoryId":1,"status":"available","version":1}\n';
const tomJson =
	'{"id":2,"name":"Tom","categoryId":2,"status":"sold","version":2}\n';

describe("Export over HTTP", () => {
	describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
		let service: Service;
		beforeAll(async () => {
			service = await openService("over a socket", { engine });
			for (const pet of [rex, tom])
				await service.store.catalogue.addPet({ pet });
		}, startMs);
		afterAll(() => service.close());

		test("sends NDJSON or CSV as an attachment, filtered", async () => {
			const authorization = `Bearer ${await service.makeKey({ scope: "operator" })}`;
			const get = (query: string) =>
				fetch(`${service.url}${path}${query}`, {
					headers: { Authorization: authorization },
				});
			const ndjson = await get("");
			expect(ndjson.headers.get("Content-Type")).toBe("application/x-ndjson");
			expect(ndjson.headers.get("Content-Disposition")).toBe(
				'attachment; filename="pets.ndjson"',
			);
			expect(await ndjson.text()).toBe(rexJson + tomJson);
			const csv = await get("?format=csv&status=available");
			expect(csv.headers.get("Content-Type")).toBe(
				"text/csv; charset=utf-8; header=present",
			);
			expect(await csv.text()).toStartWith(
				`${fieldNames.join(",")}\r\n1,"Rex, ""x""",1,available,`,
			);
			await service.store.categories.set(1n, "Dogs");
			const excel = await get("?format=csv&excel=true&status=available");
			expect(excel.headers.get("Content-Type")).toContain("charset=utf-16;");
			expect(Buffer.from(await excel.bytes()).toString("utf16le")).toStartWith(
				`\uFEFF${fieldNames.join("\t").replace("categoryId", "category")}\r\n1\t"Rex, ""x"""\tDogs\tavailable\t`,
			);
			for (const query of ["?excel=true", "?format=xml"])
				expect((await get(query)).status).toBe(400);
			for (const query of ["?categoryId=2", "?id=2"])
				expect(await (await get(query)).text()).toBe(tomJson);
			const none = await get("?categoryId=3");
			expect([none.status, await none.text()]).toEqual([200, ""]);
		});

		test("keeps no snapshot for HEAD, and gives it no wrong length", async () => {
			for (let count = 0; count < 5; count++) {
				const reply = await service.call(path, { method: "HEAD" });
				expect([reply.status, await reply.text()]).toEqual([200, ""]);
				expect(reply.headers.get("Content-Length")).toBeNull();
			}
		});

		test("refuses a third export at the same time, until one ends", async () => {
			const open = toOpen(service);
			const [first, second] = [await open(), await open()];
			await expect(open()).rejects.toThrow("The service is overloaded");
			await first.cancel();
			const third = await open();
			for (const body of [second, third])
				expect(await new Response(body).text()).toBe(rexJson + tomJson);
		});
	});

	test("disconnects a client that reads too slowly, and frees its place", async () => {
		await using service = await openService("in process");
		const { store } = service;
		await Promise.all(
			Array.from({ length: 500 }, () => store.catalogue.addPet({ pet: tom })),
		);
		const limits = { totalMs: 60_000, partMs: 20 };
		const open = toOpen(service, limits);
		for (let count = 0; count < 3; count++) {
			const reader = (await open()).getReader();
			await reader.read();
			await Bun.sleep(60);
			const readAll = async () => {
				while (!(await reader.read()).done);
			};
			await expect(readAll()).rejects.toThrow("too slowly");
		}
	});

	test(
		"reports an export that the database cuts, and none that the client cuts",
		async () => {
			await using service = await openService("in process", {
				engine: "postgres",
			});
			const { catalogue } = service.store;
			await Promise.all(
				Array.from({ length: 2_000 }, () => catalogue.addPet({ pet: tom })),
			);
			const reports: string[] = [];
			const openBody = toOpen(service, {}, (error, message) => {
				reports.push(`${message}: ${error}`);
			});
			const open = async () => {
				const reader = (await openBody()).getReader();
				await reader.read();
				return reader;
			};
			await (await open()).cancel();
			expect(reports).toEqual([]);
			const cut = await open();
			await terminateSessions(service.databaseUrl);
			const readAll = async () => {
				while (!(await cut.read()).done);
			};
			await expect(readAll()).rejects.toThrow();
			expect(reports).toEqual([
				expect.stringMatching(/^an export was not completed: .*cannot answer/),
			]);
		},
		startMs,
	);
});

/** Opens exports of all animals, without the routes. */
function toOpen(
	{ store }: Service,
	limits = {},
	report = (error: unknown, _message: string): void => {
		throw error;
	},
) {
	const { recent: readRequests } = createRequestCounts();
	const running = {
		report,
		readRequests,
		unsent: createUnsent(),
		exports: createSlots(maxHttpExports),
		imports: createSlots(1),
	};
	const toFile = toExport("ndjson", false);
	return () => streamExport({ store, running }, {}, toFile, limits);
}
