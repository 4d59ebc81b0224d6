// `petstore openapi`: the documents in the repository, other versions of OpenAPI, and base addresses.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { root, run } from "../harness/process.ts";

async function print(
	args: readonly string[],
	env: Record<string, string> = {},
): Promise<string> {
	return (await run(["openapi", ...args], { cwd: tmpdir(), env })).stdout;
}

test("the files openapi.json and operator-openapi.json are current", async () => {
	const read = (file: string) => readFileSync(root + file, "utf8");
	expect(await print([])).toBe(read("openapi.json"));
	expect(await print(["--interface", "operator"])).toBe(
		read("operator-openapi.json"),
	);
});

test("--openapi chooses the version of OpenAPI", async () => {
	expect(JSON.parse(await print(["--openapi", "3.0"])).openapi).toBe("3.0.3");
	expect(JSON.parse(await print(["--openapi=3.1"])).openapi).toBe("3.1.0");
});

describe("Base addresses", () => {
	const servers = (printed: string) => JSON.parse(printed).servers;

	test.each([
		["https://pets.example/", "https://pets.example/v1"],
		["https://pets.example/v1", "https://pets.example/v1"],
		["https://pets.example/shop/v1/", "https://pets.example/shop/v1"],
	])("shows the base URL %s as %s", async (url, named) => {
		const flags = ["--base-url", url, "--staging-url", url];
		const printed = servers(await print(flags));
		expect(printed).toMatchObject([{ url: named }, { url: named }]);
		const env = { PETSTORE_BASE_URL: url };
		expect(servers(await print([], env))).toMatchObject([{ url: named }]);
	});

	test("shows /v1 without a base URL, and calls neither /v1 nor localhost production", async () => {
		const own = { url: "/v1", description: "The service with this document" };
		expect(servers(await print([]))).toEqual([own]);
		const local = ["--base-url", "http://localhost:8080"];
		expect(servers(await print(local))).toEqual([
			{ url: "http://localhost:8080/v1", description: "This machine" },
		]);
		const staging = ["--staging-url", "https://staging.example"];
		expect(servers(await print(staging))).toEqual([
			own,
			{ url: "https://staging.example/v1", description: "Staging" },
		]);
	});
});
