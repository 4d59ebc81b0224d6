// The status document of the service and its database.
import { describe, expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { toPet } from "../harness/pet.ts";
import { onEachService } from "../service.ts";

const readStatus = "/operator/v1/status";

onEachService((service) => {
	describe("Status", () => {
		test("shows the version, the database and the number of animals", async () => {
			const { call, store } = service();
			for (const status of ["sold", "available", "sold"] as const)
				await store.catalogue.addPet({ pet: toPet({ status }) });
			const before = Date.now();
			const response = await call(readStatus);
			expect(response.headers.get("Cache-Control")).toBe("no-store");
			const document = await response.json();
			const { engine, schema, ...description } = await store.describe();
			expect(document).toMatchObject({
				version: manifest.version,
				engine,
				schema,
				engineVersion: description.engineVersion,
				animals: 3,
				animalsByStatus: { available: 1, pending: 0, sold: 2 },
			});
			expect(document.databaseBytes).toBeGreaterThan(0);
			expect("walBytes" in document).toBe(engine === "sqlite");
			expect(document.processMemoryBytes).toBeGreaterThan(1024 * 1024);
			const startedAt = Date.parse(document.startedAt);
			expect(document.startedAt).toBe(new Date(startedAt).toISOString());
			expect(startedAt).toBeLessThanOrEqual(before);
			expect(document.uptimeSeconds).toBeWithin(0, 3_600);
		});

		test("counts the requests of operations by minute and by hour", async () => {
			const { call } = service();
			const read = async () => {
				const { requests } = await (await call(readStatus)).json();
				return [requests.lastHour, requests.lastDay];
			};
			const before = await read();
			for (const path of ["/v1/pets", "/v1/pets/0", "/healthz", "/nowhere"])
				await call(path);
			const after = await read();
			expect(after.map(({ length }) => length)).toEqual([60, 24]);
			// The first call of readStatus, and the two calls of operations of /v1.
			for (const [index, counts] of after.entries())
				expect(totalOf(counts) - totalOf(before[index])).toBe(3);
		});
	});
});

function totalOf(counts: readonly { total: number }[]): number {
	return counts.reduce((sum, { total }) => sum + total, 0);
}
