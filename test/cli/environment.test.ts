// The command line in environments whose variables belong to other programs, and with empty variables.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { run, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

const environments: Record<string, Record<string, string>> = {
	"a test of Vitest": {
		TEST: "true",
		VITEST: "true",
		VITEST_MODE: "RUN",
		VITEST_POOL_ID: "1",
		VITEST_WORKER_ID: "1",
		NODE_ENV: "test",
		MODE: "test",
		BASE_URL: "/",
		DEV: "1",
		PROD: "",
		SSR: "1",
	},
	"a conda environment with compilers": {
		HOST: "x86_64-conda-linux-gnu",
		BUILD: "x86_64-conda-linux-gnu",
		CONDA_TOOLCHAIN_HOST: "x86_64-conda-linux-gnu",
		CONDA_TOOLCHAIN_BUILD: "x86_64-conda-linux-gnu",
		CONDA_PREFIX: "/opt/conda",
		CONDA_DEFAULT_ENV: "base",
	},
	"a project with a database of its own": {
		DATABASE_URL: "mysql://shop:secret@db.example/shop",
		DATABASE: "shop",
		API_KEY: "not ours",
		STAGING_URL: "staging",
		RATE_LIMIT: "none",
		TLS_CERT: "none.pem",
		TLS_KEY: "none.pem",
	},
	"empty variables": {
		PORT: "",
		PETSTORE_PORT: "",
		PETSTORE_HOST: "",
		PETSTORE_DATABASE: "",
		PETSTORE_TLS_CERT: "",
		PETSTORE_TLS_KEY: "",
		PETSTORE_RATE_LIMIT: "",
		PETSTORE_BASE_URL: "",
		PETSTORE_STAGING_URL: "",
		PETSTORE_API_KEY: "",
	},
};

test.each(Object.entries(environments))(
	"serves with its defaults and runs its commands in %s",
	async (_where, env) => {
		const options = { cwd: folder.path, env };
		const { url, kill, finished } = await serve([], options);
		expect(url).toStartWith("http://127.0.0.1:");
		// No machine has this address, so the test needs no free port.
		const refused = await run(["serve", "--host", "192.0.2.1"], options);
		expect(refused.stderr).toContain("Cannot listen on 192.0.2.1:8080:");
		const document = await (await fetch(`${url}/openapi.json`)).json();
		expect(document.servers).toMatchObject([{ url: "/v1" }]);
		const made = await run(["keys", "create", "--name", "x"], options);
		expect(made.status).toBe(0);
		const headers = { Authorization: `Bearer ${made.stdout.trim()}` };
		expect((await fetch(`${url}/v1/pets`, { headers })).status).toBe(200);
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
		expect(readdirSync(folder.path)).toEqual(["data"]);
		const printed = await run(["openapi"], options);
		expect(JSON.parse(printed.stdout).servers).toMatchObject([{ url: "/v1" }]);
	},
);

test("ignores a bunfig.toml in the current folder", async () => {
	writeFileSync(`${folder.path}/bunfig.toml`, 'preload = ["./none.ts"]\n');
	const { url } = await serve([], { cwd: folder.path });
	expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test("warns once about unknown variables that begin with PETSTORE_", async () => {
	const env = { PETSTORE_PROT: "9000", PETSTORE_FOO: "x", PETSTORE_BAR: "" };
	const warning = "unknown environment variables: PETSTORE_FOO, PETSTORE_PROT";
	const options = { cwd: folder.path, env };
	const made = await run(["keys", "create", "--name", "x"], options);
	expect(made.stderr).toStartWith(`petstore: warning: ${warning}.\n`);
	const { kill, finished } = await serve([], options);
	kill("SIGTERM");
	const { stderr } = await finished;
	expect(stderr.split(warning)).toHaveLength(2);
	expect(stderr).not.toContain("petstore: warning");
	const failed = await run(["serve", "--host", "192.0.2.1"], options);
	expect(failed.stderr.split(warning)).toHaveLength(2);
});
