// The installed package in all surroundings, with nothing of this project in sight. Prints at its end how many there were.
import { afterAll, beforeAll, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { openBrowser } from "../harness/browser.ts";
import { installPackage } from "../harness/package.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { findMissing, openNetwork, withoutProject } from "./machine.ts";
import { openDatabase, removeServers } from "./servers.ts";
import { tellStory } from "./story.ts";
import { type Surrounding, surroundings } from "./surroundings.ts";

const browser = await openBrowser();
const folder = temporaryFolder();
const plain = `${folder.path}/pets`;

beforeAll(async () => {
	chmodSync(folder.path, 0o755);
	await installPackage(plain);
}, 120_000);

afterAll(async () => {
	await browser?.close();
	await removeServers();
	folder.remove();
	console.log(`surroundings: ${toCounts().join(", ")}`);
}, 60_000);

const outcomes = new Map<string, "told" | "refused" | "failed">();
/** Why. */
const skipped = new Map<string, string>();

for (const [index, surrounding] of surroundings.entries()) {
	const { name, needs = [], refusal } = surrounding;
	const missing = browser === undefined ? "browser" : findMissing(needs);
	if (missing !== undefined) skipped.set(name, `no ${missing}`);
	const story = async () => {
		outcomes.set(name, "failed");
		await visit(surrounding);
		outcomes.set(name, refusal === undefined ? "told" : "refused");
	};
	test.concurrent.skipIf(missing !== undefined)(
		name,
		() => inTurn(index, story),
		600_000,
	);
}

function toCounts(): readonly string[] {
	const count = (wanted: string) =>
		[...outcomes.values()].filter((outcome) => outcome === wanted).length;
	const reasons = [...skipped].map(([name, reason]) => `${name}: ${reason}`);
	return [
		`${count("told")} told the story`,
		`${count("refused")} refused it in a sentence`,
		...(count("failed") > 0 ? [`${count("failed")} failed`] : []),
		`${skipped.size} skipped${reasons.length > 0 ? ` (${reasons.join("; ")})` : ""}`,
	];
}

/** Three at once, since a story waits more than it works. */
const lanes = [1, 2, 3].map(() => Promise.resolve());

function inTurn(index: number, story: () => Promise<void>): Promise<void> {
	const lane = index % lanes.length;
	const ended = (lanes[lane] ?? Promise.resolve()).then(story);
	lanes[lane] = ended.catch(() => {});
	return ended;
}

async function visit(surrounding: Surrounding): Promise<void> {
	const { project, cwd, database, within = [], network } = surrounding;
	await using closing = new AsyncDisposableStack();
	const own = closing.use(temporaryFolder()).path;
	chmodSync(own, 0o777);
	closing.defer(() => void execFileSync("chmod", ["-R", "u+w", own]));
	const [name, make = ""] = project ?? [];
	const installed = name === undefined ? plain : `${own}/${name}`;
	execFileSync("sh", ["-c", make, plain, installed]);
	const env: Record<string, string> = {
		PETSTORE_BACKUP_EVERY: "0",
		...surrounding.env,
	};
	if (database === "at an absolute path")
		env.PETSTORE_DATABASE = `sqlite:${own}/shop.db`;
	else if (database !== undefined) {
		const { url, remove } = await openDatabase(database);
		closing.defer(remove);
		env.PETSTORE_DATABASE = url;
		env.PETSTORE_BACKUPS = `${own}/backups`;
	}
	const opened = network === undefined ? undefined : await openNetwork(network);
	if (opened !== undefined) closing.defer(opened.close);
	async function findBrowser(): Promise<Browser | undefined> {
		if (opened === undefined) return browser;
		const script = `${own}/browser`;
		const line = `exec ${opened.within.join(" ")} "$BROWSER" "$@"`;
		writeFileSync(script, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
		const started = await openBrowser(script);
		closing.defer(() => started?.close());
		return started;
	}
	await tellStory({
		...{ serveWithin: [], host: "127.0.0.1", ...surrounding },
		program: `${installed}/node_modules/.bin/petstore`,
		cwd: cwd === undefined ? own : resolve(installed, cwd),
		env,
		within: [...withoutProject, ...(opened?.within ?? []), ...within],
		findBrowser,
	});
}
