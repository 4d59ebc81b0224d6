// The package as a user gets it: its files, and the exports of its main entry.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "../harness/free-port.ts";
import { installPackage, packageName, succeed } from "../harness/package.ts";
import { root, run, serve, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
const project = folder.path;
const installed = `${project}/node_modules/${packageName}`;
let files: readonly string[];

beforeAll(async () => {
	await installPackage(project);
	files = readdirSync(installed, { recursive: true }).map(String);
}, 60_000);
afterAll(() => folder.remove());

test("contains only what runs, its documents, its licence and its changes", () => {
	expect(readdirSync(installed).sort()).toEqual([
		...["CHANGELOG.md", "LICENSE", "README.md"],
		...["bin", "dist", "docs", "package.json"],
	]);
	const strange = files.filter((file) =>
		/(^|\/)(test|tests|bench|faults|mutants)\/|\.test\.|\.png$|\.db$/.test(
			file,
		),
	);
	expect(strange).toEqual([]);
	expect(readdirSync(`${installed}/bin`).sort()).toEqual([
		...["bunfig.toml", "command.cjs", "petstore.cjs"],
	]);
});

test("contains every file that its files import", () => {
	const missing = files
		.filter((file) => /^dist\/program\/.*\.js$/.test(file))
		.flatMap((file) => importsOf(`${installed}/${file}`))
		.filter((path) => !existsSync(path));
	expect(missing).toEqual([]);
});

function importsOf(path: string): string[] {
	const imports = readFileSync(path, "utf8").matchAll(
		/(?:from|import\(|import|new URL\()\s*"(\.[^"]+)"/g,
	);
	return [...imports].map(([, target = ""]) => join(dirname(path), target));
}

/** The threads of the program, which is the launcher's child or has replaced the launcher. */
function threadsOf(launcher: number): readonly string[] {
	const own = `/proc/${launcher}/task`;
	const child = readFileSync(`${own}/${launcher}/children`, "utf8").trim();
	const tasks = child === "" ? own : `/proc/${child}/task`;
	return readdirSync(tasks).map((task) =>
		readFileSync(`${tasks}/${task}/comm`, "utf8").trim(),
	);
}

describe("Package", () => {
	const program = `
		import { openPetstore, type Petstore } from "${packageName}";
		const store: Petstore = await openPetstore({
			database: "sqlite::memory:",
			sandbox: { pets: 3, seed: 1 },
			log: { requests: false },
		});
		const headers = { Authorization: "Bearer sandbox" };
		for (const path of ["/v1/pets", "/console", "/docs"])
			console.log((await fetch(store.url + path, { headers })).status);
		await store.stop();`;

	test("opens the service with pages by its main entry in Bun", async () => {
		writeFileSync(`${project}/open.ts`, program);
		const output = await succeed([process.execPath, "open.ts"], project);
		expect(output).toBe("200\n200\n200\n");
	});

	test("listens on 127.0.0.1 at the given port, and at a free port of the given host", async () => {
		const source = `
			import { openPetstore } from "${packageName}";
			for (const address of [{ port: ${await freePort()} }, { host: "localhost" }]) {
				const store = await openPetstore({ database: "sqlite::memory:", address });
				const { hostname, port } = new URL(store.url);
				console.log(hostname, address.port === undefined || port === String(address.port));
				await store.stop();
			}`;
		writeFileSync(`${project}/listen.ts`, source);
		const output = await succeed([process.execPath, "listen.ts"], project);
		expect(output).toBe("127.0.0.1 true\nlocalhost true\n");
	});

	test("takes a public address with a final slash or the version prefix", async () => {
		const source = `
			import { openPetstore } from "${packageName}";
			for (const end of ["", "/", "/v1", "/v1/"]) {
				const baseUrl = "https://pets.example/shop" + end;
				const document = { baseUrl };
				const store = await openPetstore({ database: "sqlite::memory:", document });
				const { servers } = await (await fetch(store.url + "/openapi.json")).json();
				console.log(servers[0].url);
				await store.stop();
			}`;
		writeFileSync(`${project}/address.ts`, source);
		const output = await succeed([process.execPath, "address.ts"], project);
		expect(output).toBe("https://pets.example/shop/v1\n".repeat(4));
	});

	test("answers 503 to a page if its files are replaced before it is loaded", async () => {
		const env = { PETSTORE_DATABASE: "sqlite::memory:" };
		const program = `${project}/node_modules/.bin/petstore`;
		const service = await serve([], { cwd: project, env, program });
		renameSync(`${installed}/dist`, `${installed}/replaced`);
		const reply = await fetch(`${service.url}/docs`);
		renameSync(`${installed}/replaced`, `${installed}/dist`);
		expect(reply.status).toBe(503);
		expect((await reply.json()).message).toContain("Restart it.");
		service.kill("SIGTERM");
		await service.finished;
	});

	test("writes many changes on the writer thread, which is a module of its own", async () => {
		const env = { PETSTORE_DATABASE: "sqlite:petstore.db" };
		const program = `${project}/node_modules/.bin/petstore`;
		const place = { cwd: project, env, program };
		const service = await serve(["--demo", "100"], place);
		const create = "keys create --name operator --scope operator".split(" ");
		const { stdout: key } = await run(create, place);
		const changes = Array.from({ length: 100 }, (_, index) => ({
			petId: index + 1,
			set: { status: "sold" },
		}));
		const reply = await fetch(`${service.url}/operator/v1/pets/batch`, {
			method: "POST",
			headers: {
				Authorization: `Bearer ${key.trim()}`,
				"Content-Type": "application/json",
			},
			body: JSON.stringify({ changes }),
		});
		expect(await reply.json()).toMatchObject({ changed: 100 });
		expect(threadsOf(service.pid)).toContain("Worker");
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
	});

	test("makes backups, for which the program starts itself again", async () => {
		const env = { PETSTORE_DATABASE: "sqlite:backed-up.db" };
		const program = `${project}/node_modules/.bin/petstore`;
		const flags = ["--backups", "backups", "--backup-every", "1h"];
		const service = await serve(flags, { cwd: project, env, program });
		while (!/a backup (was made|failed)/.test(service.output().stderr))
			await Bun.sleep(50);
		service.kill("SIGTERM");
		const { status, stderr } = await service.finished;
		expect(stderr).toContain("a backup was made");
		expect(status).toBe(0);
	});

	test("runs the example of docs/package.md", async () => {
		const text = readFileSync(`${root}docs/package.md`, "utf8");
		const [, code = ""] = /^```ts\n(.*?)^```$/ms.exec(text) ?? [];
		writeFileSync(`${project}/example.ts`, code);
		const output = await succeed([process.execPath, "example.ts"], project);
		expect(output).toBe("[]\n");
	});

	test("explains in one sentence that its main entry does not run in Node.js", async () => {
		writeFileSync(
			`${project}/open.mjs`,
			`import { openPetstore } from "${packageName}"; openPetstore();`,
		);
		const command = ["node", "open.mjs"] as const;
		const { status, stderr } = await start(command, { cwd: project }).finished;
		expect(status).toBe(1);
		expect(stderr).toMatch(/^Error: The service runs in Bun only: [^.]+\.$/m);
	});

	test("has types of everything that it exports, without another package", async () => {
		mkdirSync(`${project}/types`);
		writeFileSync(`${project}/types/open.ts`, program);
		const compilerOptions = {
			strict: true,
			module: "nodenext",
			noEmit: true,
			types: [],
			lib: ["esnext", "dom"],
		};
		writeFileSync(
			`${project}/types/tsconfig.json`,
			JSON.stringify({ compilerOptions }),
		);
		await succeed(["node_modules/.bin/tsc", "-p", "types"], project);
	});
});
