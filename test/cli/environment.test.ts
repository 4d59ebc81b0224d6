// The command line in environments whose variables and files belong to other programs, and with empty variables.
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { apiKey, authorized, usePlace } from "./place.ts";

const place = usePlace();

const others = {
	...{ TEST: "true", VITEST: "true", NODE_ENV: "test", MODE: "test" },
	...{ HOST: "x86_64-conda-linux-gnu", BASE_URL: "/", STAGING_URL: "staging" },
	...{ DATABASE_URL: "mysql://shop:secret@db.example/shop", DATABASE: "shop" },
	...{ API_KEY: "not ours", RATE_LIMIT: "none", TLS_CERT: "none.pem" },
};
const names =
	"PORT PETSTORE_PORT PETSTORE_HOST PETSTORE_DATABASE PETSTORE_TLS_CERT PETSTORE_TLS_KEY PETSTORE_RATE_LIMIT PETSTORE_BASE_URL PETSTORE_API_KEY";
const empty = Object.fromEntries(names.split(" ").map((name) => [name, ""]));

test.each([
	["variables of other programs", others],
	["empty variables", empty],
])("serves with its defaults and runs its commands with %s", async (_, env) => {
	const { url, stop } = await place.serve("", env);
	// No machine has this address, so the test needs no free port.
	const refused = await place.run("serve --host 192.0.2.1", env);
	expect(refused.stderr).toContain("Cannot listen on 192.0.2.1:8080:");
	const document = await (await fetch(`${url}/openapi.json`)).json();
	expect(document.servers).toMatchObject([{ url: "/v1" }]);
	const { stdout } = await place.run("keys create --name x", env);
	const headers = { Authorization: `Bearer ${stdout.trim()}` };
	expect((await fetch(`${url}/v1/pets`, { headers })).status).toBe(200);
	expect((await stop()).status).toBe(0);
	expect(readdirSync(place.path())).toEqual(["data"]);
});

test("reads no .env and no bunfig.toml in the current folder", async () => {
	writeFileSync(place.path(".env"), `PETSTORE_API_KEY=${apiKey}\n`);
	writeFileSync(place.path("bunfig.toml"), 'preload = ["./none.ts"]\n');
	const { url } = await place.serve();
	expect((await fetch(`${url}/v1/pets`, authorized)).status).toBe(401);
});

test("a flag overrides a variable, and PETSTORE_PORT overrides PORT", async () => {
	const env = { PETSTORE_DATABASE: "sqlite:of-variable.db" };
	await place.run("keys create --name x", env);
	await place.run("keys create --name x --database sqlite:of-flag.db", env);
	expect(readdirSync(place.path())).toEqual(["of-flag.db", "of-variable.db"]);
	const ports = { PETSTORE_PORT: "81", PORT: "82", PETSTORE_HOST: "192.0.2.1" };
	for (const [variables, tried] of [
		[ports, 81],
		[{ ...ports, PETSTORE_PORT: "" }, 82],
	] as const) {
		const { stderr } = await place.run("serve", variables);
		expect(stderr).toContain(`Cannot listen on 192.0.2.1:${tried}:`);
	}
});

test("warns once about unknown variables that begin with PETSTORE_", async () => {
	const env = { PETSTORE_PROT: "9000", PETSTORE_FOO: "x", PETSTORE_BAR: "" };
	const warning = "unknown environment variables: PETSTORE_FOO, PETSTORE_PROT";
	const { stderr } = await place.run("keys create --name x", env);
	expect(stderr.split(warning)).toHaveLength(2);
});
