// What a newcomer does with the installed package: starts the service, signs in to the console, adds an animal, lists it, backs it up,
// restores it in the console and by the command, and stops the service.
import { expect } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { freePort } from "../harness/free-port.ts";
import { type Running, start, waitFor } from "../harness/process.ts";
import { dialogOf, press } from "../pages/visit.ts";
import type { Words } from "./machine.ts";

export interface Place {
	/** The command of the package. */
	readonly program: string;
	readonly cwd: string;
	readonly env: Record<string, string>;
	/** Run the commands. */
	readonly within: Words;
	/** Also run the service. */
	readonly serveWithin: Words;
	/** As in a URL. */
	readonly host: string;
	readonly findBrowser: () => Promise<Browser | undefined>;
}

/** If it takes longer, its processes are killed, and it fails. */
const storyMs = 60_000;
const refusalMs = 15_000;

/** The sentence with which the service must refuse to start, if it must. */
export async function tellStory(place: Place, refusal?: RegExp): Promise<void> {
	const started: Running[] = [];
	/** In a process group of its own, with the processes that it starts. */
	const open = (words: Words, within: Words = []) => {
		const running = start(
			["setsid", ...place.within, ...within, ...words],
			place,
		);
		started.push(running);
		return running;
	};
	const killAll = () => {
		for (const { pid } of started)
			try {
				process.kill(-pid, "SIGKILL");
			} catch {}
	};
	const late = setTimeout(killAll, refusal ? refusalMs : storyMs);
	try {
		if (refusal === undefined) await tell(place, open);
		else await expectRefusal(place, open, refusal);
	} finally {
		clearTimeout(late);
		killAll();
	}
}

type Open = (words: Words, within?: Words) => Running;

async function expectRefusal(
	{ program, serveWithin, host }: Place,
	open: Open,
	refusal: RegExp,
): Promise<void> {
	const words = [program, "serve", "--host", bare(host), "--port", "0"];
	const { status, stderr } = await open(words, serveWithin).finished;
	expect([status, stderr.trimEnd()]).toEqual([
		1,
		expect.stringMatching(/^petstore: [^\n]+[.]$/),
	]);
	expect(stderr).toMatch(refusal);
}

const bare = (host: string) => host.replace(/^\[|\]$/g, "");

const name = "Işık 狗 Ä";

async function tell(place: Place, open: Open): Promise<void> {
	const { program, host } = place;
	const run = async (...words: Words) => {
		const { status, stdout, stderr } = await open(words).finished;
		if (status !== 0) throw new Error(`${words.join(" ")}: ${stdout}${stderr}`);
		return stdout;
	};
	const port = String(await freePort());
	const url = `http://${host}:${port}`;
	const service = open(
		[program, "serve", "--host", bare(host), "--port", port],
		place.serveWithin,
	);
	let hasEnded = false;
	service.finished.then(() => {
		hasEnded = true;
	});
	await waitFor(
		async () =>
			hasEnded ||
			(await open(["curl", "-gsf", `${url}/readyz`]).finished).status === 0,
		() => service.output().stderr,
		30_000,
	);
	if (hasEnded) throw new Error(`It ended: ${service.output().stderr}`);

	const created = await run(
		program,
		...toWords("keys create --json --name me"),
	);
	const { key } = JSON.parse(created);
	const call = (...words: Words) =>
		run("curl", "-gsS", "-H", `Authorization: Bearer ${key}`, ...words);
	const list = async () =>
		JSON.parse(await call(`${url}/v1/pets`)).map(
			(pet: { name: string }) => pet.name,
		);

	const link = await run(program, ...toWords(`console --no-open --url ${url}`));
	const context = await (await place.findBrowser())?.newContext();
	if (context === undefined) throw new Error("There is no browser.");
	const complaints: string[] = [];
	try {
		const page = await context.newPage();
		page.setDefaultTimeout(10_000);
		page.on("pageerror", ({ message }) => complaints.push(message));
		page.on("console", (message) => complaints.push(message.text()));
		await page.goto(link.trim());
		await addInConsole(page);
		expect(await list()).toEqual([name]);

		const made = await run(program, "backup", "--json");
		const { path } = JSON.parse(made);
		await call("--json", '{"name":"Late","categoryId":1}', `${url}/v1/pets`);
		expect(await list()).toHaveLength(2);
		await restoreInConsole(page);
		expect(await list()).toEqual([name]);
		await call("--json", '{"name":"Later","categoryId":1}', `${url}/v1/pets`);
		expect(await list()).toHaveLength(2);
		await run(program, "restore", "--replace", "--yes", path);
		expect(await list()).toEqual([name]);
		expect(complaints).toEqual([]);
	} catch (error) {
		throw new Error([error, ...complaints, service.output().stderr].join("\n"));
	} finally {
		await context.close();
	}
	const { status, stderr } = await service.stop();
	expect(status).toBe(0);
	expect(stderr).not.toMatch(/"level":"(warn|error)"/);
}

const toWords = (text: string): Words => text.split(" ");

async function addInConsole(page: Page): Promise<void> {
	await press(page, "Add the first animal");
	await dialogOf(page).getByLabel("Name").fill(name);
	await dialogOf(page).getByLabel("Category").fill("1");
	await page.keyboard.press("Enter");
	await page.locator(".pets tbody").getByText(name).waitFor();
}

async function restoreInConsole(page: Page): Promise<void> {
	await page.getByRole("link", { name: "Status" }).click();
	await page.getByRole("button", { name: /^Restore petstore-/ }).click();
	await dialogOf(page).getByText("Its 1 animal ").waitFor();
	await dialogOf(page).getByRole("button", { name: "Restore" }).click();
	await page.getByText(/^Restored 1 animal\./).waitFor();
}
