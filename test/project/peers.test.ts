// The program that runs the conformance cases against other servers. Only `npm run peers` installs and starts them.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isInstalled } from "../../bench/peers/install.ts";
import { get, oneStep } from "../../conformance/case.ts";
import { root } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { judge } from "../../peers/judge.ts";
import { type Peer, peers } from "../../peers/peers.ts";
import { runPeer } from "../../peers/run-peer.ts";
import { withTable } from "../../peers/table.ts";

const cases = [
	oneStep({ section: "4.1", name: "GET /pets answers 200" }, get("/pets"), {
		status: 200,
	}),
	oneStep({ section: "4.3", name: "GET /pets/1 answers 404" }, get("/pets/1"), {
		status: 404,
	}),
];

/** A server that answers every request with 200 and its own process id. */
const tiny: Peer = {
	name: "tiny",
	description: "a server for this test",
	storage: "none",
	prepare: ({ folder }) =>
		writeFileSync(
			`${folder}/tiny.js`,
			"Bun.serve({ hostname: '127.0.0.1', port: process.argv[2], fetch: () => Response.json(process.pid) });",
		),
	command: ({ port, folder }) => [
		...([process.execPath, `${folder}/tiny.js`] as const),
		String(port),
	],
	usage: "`tiny` 1.0.0",
	causes: [],
};

const finds = {
	text: "It finds all.",
	failures: /: the status is 200, not 404/,
};

describe("a server", () => {
	test("is started, gets the cases, and is stopped", async () => {
		const results = await runPeer(tiny, cases);
		expect(results.map(({ outcome }) => outcome)).toEqual(["passed", "failed"]);
		const pid = Number(
			new TextDecoder().decode(results[1]?.failure?.reply?.bytes),
		);
		expect(pid).toBeGreaterThan(0);
		expect(() => process.kill(pid, 0)).toThrow("ESRCH");
	});

	test("needs a cause for each failure and a failure for each cause", async () => {
		const results = await runPeer(tiny, cases);
		const failure = "GET /pets/1 answers 404: the status is 200, not 404";
		expect(judge(results, [finds])).toEqual({
			passed: 1,
			failed: 1,
			causes: [{ text: "It finds all.", count: 1 }],
			failures: [`${failure}\n    It finds all.`],
			problems: [],
		});
		expect(judge(results, []).problems).toEqual([
			`no cause explains: ${failure}`,
		]);
		const stale = { text: "It is slow.", failures: /slow/ };
		expect(judge(results, [finds, stale]).problems).toEqual([
			"no failure has the cause: It is slow.",
		]);
	});
});

describe("the table of docs/conformance.md", () => {
	const verdict = {
		passed: 1,
		failed: 1,
		failures: [],
		problems: [],
		causes: [{ text: "It finds all.", count: 1 }],
	};
	const document = readFileSync(`${root}docs/conformance.md`, "utf8");

	test("is written between its marks", () => {
		const written = withTable(
			document,
			[{ peer: tiny, verdict }],
			"2026-01-31",
		);
		expect(written).toContain("\nRun on 2026-01-31. ");
		expect(written).toContain(
			"\n| `tiny` 1.0.0 | 1 passed, 1 failed | It finds all (1). |\n<!-- /other",
		);
		const again = withTable(written, [{ peer: tiny, verdict }], "2026-01-31");
		expect(again).toBe(written);
		expect(written).toEndWith(
			document.split("<!-- /other servers -->")[1] ?? "",
		);
		expect(() => withTable("", [], "")).toThrow("no marks");
	});

	test.each(peers)("has the version and the causes of $name", (peer) => {
		const rows = document.split("\n");
		const row = rows.find((one) => one.startsWith(`| ${peer.usage} | `)) ?? "";
		expect(row.replace(/ \(\d+\)\./g, ".")).toEndWith(
			` | ${peer.causes.map(({ text }) => text).join(" ")} |`,
		);
	});
});

test("installs packages again if one is missing or has another version", () => {
	const folder = temporaryFolder();
	const write = (path: string, manifest: object) =>
		writeFileSync(`${folder.path}/${path}`, JSON.stringify(manifest));
	write("package.json", { dependencies: { x: "1.0.0" } });
	expect(isInstalled(folder.path)).toBe(false);
	mkdirSync(`${folder.path}/node_modules/x`, { recursive: true });
	write("node_modules/x/package.json", { version: "0.9.0" });
	expect(isInstalled(folder.path)).toBe(false);
	write("node_modules/x/package.json", { version: "1.0.0" });
	expect(isInstalled(folder.path)).toBe(true);
	folder.remove();
});
