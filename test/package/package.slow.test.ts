// The package as a user gets it: its files, and its command.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { addDemoAnimals } from "../harness/demo-animals.ts";
import { installPackage, packageName } from "../harness/package.ts";
import { run, serve } from "../harness/process.ts";
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
		...["command.cjs", "petstore.cjs"],
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
		await addDemoAnimals(`sqlite:${project}/petstore.db`, 100);
		const service = await serve([], place);
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
});
