// Our own client survives every kind of fault: it retries where a retry is safe, and adds nothing twice.
import { describe, expect, test } from "bun:test";
import { createClient } from "../../src/client/client.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();

const survived = [
	...[{ delay: 20 }, { delay: [1, 20] }, { bytesPerSecond: 2_000 }],
	...[408, 429, 500, 502, 503, 504].map((status) => ({ status })),
	...[
		{ status: 503, retryAfter: 0 },
		{ status: 503, retryAfter: null },
	],
	...["html", "empty", "garbage"].map((body) => ({ status: 503, body })),
	...["before", "after-commit", "mid-body"].map((drop) => ({ drop })),
];

describe("the client", () => {
	test.each(survived)("survives %j", async (fault) => {
		const { url, names, putFaults } = sandbox();
		const store = createClient({ url, key: "sandbox" });
		expect((await putFaults([fault])).status).toBe(204);
		await store.createPet({ name: "Rex", categoryId: 1n });
		const [rex, next] = await names(2);
		expect([rex, next === "Rex"]).toEqual(["Rex", false]);
		await putFaults([fault]);
		expect((await store.getPet(1n)).id).toBe(1n);
		await putFaults([fault]);
		expect((await store.readPage({ limit: 3 })).pets).toHaveLength(3);
	});

	test.each([
		[{ status: 418 }, "fault"],
		[{ status: 404 }, "not_found"],
		[{ status: 403, body: "html" }, "http_error"],
		[{ status: 409, body: "empty" }, "http_error"],
		[{ status: 422, body: "garbage" }, "http_error"],
	])("rejects for %j with %s, and repeats nothing", async (fault, code) => {
		const { url, putFaults, requests } = sandbox();
		const store = createClient({ url, key: "sandbox" });
		await putFaults([{ ...fault, times: "always" }]);
		const added = store.createPet({ name: "Rex", categoryId: 1n });
		await expect(added).rejects.toMatchObject({ code, status: fault.status });
		expect(await requests()).toHaveLength(1);
	});
});
