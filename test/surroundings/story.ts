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
	/** In the sentence with which the service must refuse to start, if it must. */
	readonly refusal?: RegExp;
}

/** If it takes longer, its processes are killed, and it fails. */
const storyMs = 60_000;

export async function tellStory(place: Place): Promise<void> {
	const started: Running[] = [];
	/** In a process group of its own, with the processes that it starts. */
	const open = (words: Words, within: Words = []) => {
		const all = [...place.within, ...within, ...words];
		const running = start(["setsid", ...all], place);
		started.push(running);
		return running;
	};
	const killAll = () => {
		for (const { pid } of started)
			try {
				process.kill(-pid, "SIGKILL");
			} catch {}
	};
	const late = setTimeout(killAll, storyMs);
	// A terminal signals only the group of the tests.
	process.on("exit", killAll);
	try {
		await (place.refusal === undefined ? tell : expectRefusal)(place, open);
	} finally {
		clearTimeout(late);
		process.off("exit", killAll);
		killAll();
	}
}

type Open = (words: Words, within?: Words) => Running;

async function expectRefusal(place: Place, open: Open): Promise<void> {
	const service = open(toServe(place, 0), place.serveWithin);
	service.printed(/"listening"/).then(service.stop, () => {});
	const { status, stderr } = await service.finished;
	expect([status, stderr]).toEqual([
		1,
		expect.stringMatching(/^petstore: [^\n]+[.]\n$/),
	]);
	expect(stderr).toMatch(place.refusal ?? "");
}

function toServe({ program, host }: Place, port: number): Words {
	const address = host.replace(/^\[|\]$/g, "");
	return [program, "serve", "--host", address, "--port", String(port)];
}

const name = "Işık 狗 Ä";

async function tell(place: Place, open: Open): Promise<void> {
	const { program, host } = place;
	const run = async (...words: Words) => {
		const { status, stdout, stderr } = await open(words).finished;
		if (status !== 0) throw new Error(`${words.join(" ")}: ${stdout}${stderr}`);
		return stdout;
	};
	const port = await freePort();
	const url = `http://${host}:${port}`;
	const service = open(toServe(place, port), place.serveWithin);
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

	const keys = [program, "keys", "create", "--json", "--name", "me"];
	const { key } = JSON.parse(await run(...keys));
	const call = (...words: Words) =>
		run("curl", "-gsS", "-H", `Authorization: Bearer ${key}`, ...words);
	const list = async () => {
		const pets: { name: string }[] = JSON.parse(await call(`${url}/v1/pets`));
		return pets.map(({ name }) => name);
	};

	const link = await run(program, "console", "--no-open", "--url", url);
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
	// The message ends after some seconds, in which this process may be busy: the page looks for it from now on.
	await Promise.all([
		page.getByText(/^Restored 1 animal\./).waitFor(),
		dialogOf(page).getByRole("button", { name: "Restore" }).click(),
	]);
}
