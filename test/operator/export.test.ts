// exportPets: the catalogue as a file over HTTP.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { exportPets } from "../../src/api/operator/pets/export-pets.ts";
import { noSocket } from "../../src/http/surface.ts";
import { terminateSessions } from "../harness/postgres/server.ts";
import { expectError, openService, type Service, startMs } from "../service.ts";

const path = "/operator/v1/pets/export";
const rex = { name: 'Rex, "x"', categoryId: 1n, status: "available" } as const;
const tom = { name: "Tom", categoryId: 2n, status: "sold" } as const;
const rexJson =
	'{"id":1,"name":"Rex, \\"x\\"","categoryId":1,"status":"available"}\n';
const tomJson = '{"id":2,"name":"Tom","categoryId":2,"status":"sold"}\n';

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
			expect(await csv.text()).toBe(
				'id,name,categoryId,status,version\r\n1,"Rex, ""x""",1,available,1\r\n',
			);
			const excel = await get("?format=csv&excel=true&status=available");
			expect(excel.headers.get("Content-Type")).toContain("charset=utf-16;");
			expect(Buffer.from(await excel.bytes()).toString("utf16le")).toBe(
				'\uFEFFid\tname\tcategoryId\tstatus\tversion\r\n1\t"Rex, ""x"""\t1\tavailable\t1\r\n',
			);
			expect((await get("?excel=true")).status).toBe(400);
			const one = await get("?categoryId=2");
			expect(await one.text()).toBe(tomJson);
			const none = await get("?categoryId=3");
			expect([none.status, await none.text()]).toEqual([200, ""]);
		});

		test("opens no snapshot for HEAD, and gives it no wrong length", async () => {
			for (let count = 0; count < 5; count++) {
				const reply = await service.call(path, { method: "HEAD" });
				expect([reply.status, await reply.text()]).toEqual([200, ""]);
				expect(reply.headers.get("Content-Length")).toBeNull();
			}
		});

		test("refuses a third export at the same time, until one ends", async () => {
			const { exports } = service.store;
			const handle = exportPets(exports, unreported);
			const [first, second] = [await handle(call), await handle(call)];
			await expect(handle(call)).rejects.toThrow("The service is overloaded");
			if (first.body instanceof ReadableStream) await first.body.cancel();
			const third = await handle(call);
			for (const { body } of [second, third])
				expect(await new Response(body).text()).toBe(rexJson + tomJson);
		});

		test("answers 400 to an unknown format", async () => {
			const reply = await service.call(`${path}?format=xml`);
			await expectError(reply, "invalid_parameter", /^format must be one of/);
		});
	});

	test("disconnects a client that reads too slowly, and frees its place", async () => {
		const { store, close } = await openService("in process");
		await Promise.all(
			Array.from({ length: 500 }, () => store.catalogue.addPet({ pet: tom })),
		);
		const limits = { totalMs: 60_000, partMs: 20 };
		const handle = exportPets(store.exports, unreported, limits);
		for (let count = 0; count < 3; count++) {
			const { body } = await handle(call);
			if (!(body instanceof ReadableStream)) throw new Error("no stream");
			const reader = body.getReader();
			await reader.read();
			await Bun.sleep(60);
			const readAll = async () => {
				while (!(await reader.read()).done);
			};
			await expect(readAll()).rejects.toThrow("too slowly");
		}
		await close();
	});

	test(
		"reports an export that the database cuts, and none that the client cuts",
		async () => {
			const service = await openService("in process", { engine: "postgres" });
			const { exports, catalogue } = service.store;
			await Promise.all(
				Array.from({ length: 2_000 }, () => catalogue.addPet({ pet: tom })),
			);
			const reports: string[] = [];
			const handle = exportPets(exports, {
				reportWork: (error, message) => reports.push(`${message}: ${error}`),
			});
			const open = async () => {
				const { body } = await handle(call);
				if (!(body instanceof ReadableStream)) throw new Error("no stream");
				const reader = body.getReader();
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
			await service.close();
		},
		startMs,
	);
});

const unreported = {
	reportWork(error: unknown) {
		throw error;
	},
};

const call = {
	request: new Request("http://localhost/"),
	query: "",
	segment: "",
	headers: new Headers(),
	identity: { keyHash: "", keyId: undefined, scope: "operator" },
	source: noSocket,
} as const;
