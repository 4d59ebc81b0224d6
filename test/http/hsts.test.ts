// Strict-Transport-Security: only with --hsts, and only with HTTPS.
import { describe, expect, test } from "bun:test";
import { run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { openQuietly } from "../operator/calls.ts";

describe("HSTS", () => {
	test.each([
		[undefined, null],
		[31_536_000, "max-age=31536000"],
		[0, "max-age=0"],
	])("turns %p seconds into the header %p", async (hstsSeconds, expected) => {
		const petstore = await openQuietly({
			database: "sqlite::memory:",
			document: { baseUrl: "https://shop.example" },
			hstsSeconds,
		});
		for (const path of ["/", "/healthz", "/v1/pets", "/console", "/nothing"]) {
			const reply = await petstore.fetch(new Request(`http://x${path}`));
			const found = reply.headers.get("Strict-Transport-Security");
			expect([path, found]).toEqual([path, expected]);
		}
		await petstore.stop();
	});

	test.each([
		[["--hsts", "365d"], /^petstore: --hsts needs HTTPS: give --tls-cert/],
		[
			["--hsts", "365d", "--base-url", "http://shop.example"],
			/^petstore: --hsts needs HTTPS/,
		],
		[["--hsts", "soon"], /It must be a duration like/],
	])("refuses serve %p as wrong usage", async (args, message) => {
		const folder = temporaryFolder();
		const { status, stderr } = await run(["serve", "--port", "0", ...args], {
			cwd: folder.path,
		});
		expect(status).toBe(2);
		expect(stderr).toMatch(message);
		folder.remove();
	});
});
