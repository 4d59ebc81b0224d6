// `petstore openapi`: the interfaces, the versions and the base addresses.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { root } from "../harness/process.ts";
import { usePlace } from "./place.ts";

const place = usePlace("file");
const print = async (args: string, env?: Record<string, string>) =>
	(await place.run(`openapi ${args}`, env)).stdout;
const readServers = async (args: string, env?: Record<string, string>) =>
	JSON.parse(await print(args, env)).servers;

test("prints the document of an interface in a version of OpenAPI", async () => {
	const current = readFileSync(`${root}operator-openapi.json`, "utf8");
	expect(await print("--interface operator")).toBe(current);
	expect(JSON.parse(await print("--openapi 3.0")).openapi).toBe("3.0.3");
});

test("shows /v1, or the base URL and the URL of staging, of flags or variables", async () => {
	const own = { url: "/v1", description: "The service with this document" };
	expect(await readServers("")).toEqual([own]);
	expect(await readServers("--staging-url https://x.example")).toEqual([
		own,
		{ url: "https://x.example/v1", description: "Staging" },
	]);
	expect(await readServers("--base-url http://localhost:8080/v1/")).toEqual([
		{ url: "http://localhost:8080/v1", description: "Production" },
	]);
	const env = { PETSTORE_BASE_URL: "https://pets.example/shop" };
	expect(await readServers("", env)).toMatchObject([
		{ url: "https://pets.example/shop/v1" },
	]);
});
