// The installed package does everything in places that are not like the one where it was built.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	chmodSync,
	chownSync,
	mkdirSync,
	mkdtempSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { openBrowser } from "../harness/browser.ts";
import { installPackage, packageName, succeed } from "../harness/package.ts";
import { loadPage } from "../harness/page.ts";
import { run, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const { INSTALLED_IN } = process.env;
const pets = '{"name":"Rex","categoryId":1}\n{"name":"Tom","categoryId":2}\n';

/** A user without privileges, who does not own the package. Only root can become one; others make what they own read-only. */
const stranger = process.getuid?.() === 0 ? 65_534 : undefined;
const asStranger =
	stranger === undefined
		? "env -u HOME"
		: `setpriv --reuid=${stranger} --regid=${stranger} --clear-groups env -u HOME`;

const places: readonly {
	readonly name: string;
	/** Of the folder of the project. */
	readonly folder: string;
	readonly isLinked?: boolean;
	readonly isReadOnly?: boolean;
	/** Bun finds no modules in a folder with a question mark in its name. */
	readonly withoutBun?: boolean;
}[] = [
	{ name: "a plain folder", folder: "plain" },
	{
		name: "a folder with a question mark and more in its name",
		folder: "a b?c=d#é漢😀%20%",
		withoutBun: true,
	},
	{
		name: "a folder with odd letters behind a symbolic link",
		folder: "a b#é漢😀%20%&'\"$(x)",
		isLinked: true,
	},
	{
		name: "a read-only folder of another user, without HOME",
		folder: "read-only",
		isReadOnly: true,
	},
];

const folder = temporaryFolder();
const source = INSTALLED_IN ?? `${folder.path}/project`;
const browser = await openBrowser();
if (browser === undefined)
	console.warn("not run: the console in a browser (no browser here)");

beforeAll(async () => {
	chmodSync(folder.path, 0o755);
	if (INSTALLED_IN === undefined) await installPackage(source);
}, 60_000);
afterAll(async () => {
	await browser?.close();
	await succeed(["chmod", "-R", "u+w", folder.path], "/");
	folder.remove();
});

describe.each(places)("in $name", (place) => {
	const own = `${folder.path}/own-${places.indexOf(place)}`;
	const copy = `${own}/${place.folder}`;
	const project = place.isLinked ? `${own}/link` : copy;
	const as = place.isReadOnly ? asStranger : "";
	const [anybody, petstore] = [`${own}/as`, `${own}/petstore`];

	beforeAll(async () => {
		mkdirSync(copy, { recursive: true });
		for (const name of ["node_modules", "package.json"])
			await succeed(["cp", "-a", `${source}/${name}`, copy], "/");
		for (const [name, text] of Object.entries(modules))
			writeFileSync(`${copy}/${name}`, text);
		if (place.isLinked) symlinkSync(copy, project);
		if (place.isReadOnly) await succeed(["chmod", "-R", "a-w", copy], "/");
		for (const [script, program] of [
			[anybody, ""],
			[petstore, quote(`${project}/node_modules/.bin/petstore`)],
		] as const)
			writeFileSync(script, `#!/bin/sh\nexec ${as} ${program} "$@"\n`, {
				mode: 0o755,
			});
	}, 60_000);

	/** A new current folder, which is not that of the package. */
	function newWork() {
		const cwd = mkdtempSync(`${own}/work-`);
		if (place.isReadOnly && stranger !== undefined)
			chownSync(cwd, stranger, stranger);
		return { cwd, program: petstore };
	}

	/** A service, and a key of an operator. */
	async function open(...flags: string[]) {
		const work = newWork();
		const words = "keys create --name tests --scope operator".split(" ");
		const { stdout } = await run(words, work);
		return { ...(await serve(flags, work)), work, key: stdout.trim() };
	}

	test("runs the commands for animals, files and backups", async () => {
		const work = newWork();
		writeFileSync(`${work.cwd}/pets.ndjson`, pets);
		const results: unknown[] = [];
		let exported = "";
		for (const command of [
			"--version",
			"import pets.ndjson",
			"check",
			"backup backup.db",
			"check backup.db",
			"restore backup.db --database sqlite:other.db",
			"export --database sqlite:other.db",
		]) {
			const { status, stdout, stderr } = await run(command.split(" "), work);
			results.push(status === 0 ? status : [command, stderr]);
			if (command === "--version") expect(stdout).toBe(`${manifest.version}\n`);
			exported = stdout;
		}
		expect(results).toEqual([0, 0, 0, 0, 0, 0, 0]);
		expect(exported).toMatch(/"Rex".*\n.*"Tom"/);
	}, 60_000);

	test("serves the pages, signs in to the console, passes verify", async () => {
		const { work, key, ...service } = await open();
		for (const path of ["/", "/docs", "/docs/operator", "/console"])
			expectWhole(await loadPage(service.url, path));
		await browser?.newPage().then(async (page) => {
			page.setDefaultTimeout(10_000);
			await page.goto(`${service.url}/console`);
			await page.getByLabel("API key").fill(key);
			await page.getByRole("button", { name: "Sign in", exact: true }).click();
			await page.getByRole("heading", { name: "Catalogue" }).waitFor();
			await page.close();
		});
		const verify = ["verify", `${service.url}/v1`, "--key", key];
		expect(await run(verify, work)).toMatchObject({ status: 0 });
		expect((await service.stop()).status).toBe(0);
	}, 60_000);

	test("makes backups by schedule and by hand, and restores one over HTTP", async () => {
		const flags = ["--backups", "made", "--backup-every", "1h"];
		const { key, ...service } = await open(...flags);
		const headers = { Authorization: `Bearer ${key}` };
		const post = (path: string, body: string) =>
			fetch(service.url + path, {
				method: "POST",
				headers: { ...headers, "Content-Type": "application/json" },
				body,
			});
		await service.printed(/a backup (was made|failed)/);
		await post("/v1/pets", '{"name":"Rex","categoryId":1}');
		const made = await post("/operator/v1/backups", "");
		const { name } = await made.json();
		await post("/v1/pets", '{"name":"Tom","categoryId":1}');
		const path = `/operator/v1/backups/${name}/restore`;
		const restored = await post(path, '{"animals":1}');
		const list = await fetch(`${service.url}/v1/pets`, { headers });
		const { stderr } = await service.stop();
		expect([made.status, restored.status]).toEqual([201, 200]);
		expect(await list.json()).toMatchObject([{ name: "Rex" }]);
		expect(stderr).toContain("a backup was made");
		expect(stderr).not.toContain('"error"');
	}, 60_000);

	test("serves a sandbox with its page", async () => {
		const service = await serve([], newWork(), "sandbox");
		expectWhole(await loadPage(service.url, "/sandbox"));
		await service.stop();
	}, 60_000);

	test.each(place.withoutBun ? ["Node.js"] : ["Node.js", "Bun"])(
		"starts a store for tests from both module systems in %s",
		async (name) => {
			const bun = `${project}/node_modules/bun/bin/bun.exe`;
			const runtime = name === "Bun" ? bun : "node";
			for (const [name, built] of [
				["start.mjs", "dist/testing.js"],
				["start.cjs", "dist/cjs/testing.js"],
			] as const) {
				const command = [anybody, runtime, `${project}/${name}`] as const;
				const output = await succeed(command, newWork().cwd);
				expect(output).toEndWith(`${packageName}/${built} 2 true\n`);
			}
		},
		60_000,
	);
});

/** Prints where the helper is, and uses it with the client. */
const use = `
async function use(file, startPetstore, PetstoreError) {
	const store = await startPetstore({ pets: [{ id: 2n, name: "Rex", categoryId: 1n }] });
	const { id } = await store.client.getPet(2n);
	const error = await store.client.getPet(9n).catch((reason) => reason);
	await store.stop();
	console.log(file, String(id), error instanceof PetstoreError);
}
`;

const modules = {
	"start.mjs": `${use}
import { PetstoreError } from "${packageName}/client";
import { startPetstore } from "${packageName}/testing";
const file = decodeURI(import.meta.resolve("${packageName}/testing"));
await use(file, startPetstore, PetstoreError);
`,
	"start.cjs": `${use}
const { PetstoreError } = require("${packageName}/client");
const { startPetstore } = require("${packageName}/testing");
use(require.resolve("${packageName}/testing"), startPetstore, PetstoreError);
`,
};

function expectWhole(statuses: Record<string, number>): void {
	expect(Object.keys(statuses).length).toBeGreaterThan(3);
	expect(new Set(Object.values(statuses)), JSON.stringify(statuses)).toEqual(
		new Set([200]),
	);
}

function quote(path: string): string {
	return `'${path.replaceAll("'", "'\\''")}'`;
}
