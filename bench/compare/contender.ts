// A version of the service that is compared with others. It is started on a new database with a stored key and some animals.
import { createDatabase } from "../../test/harness/postgres/server.ts";
import { run, start, waitFor } from "../../test/harness/process.ts";
import {
	temporaryDatabase,
	temporaryFolder,
} from "../../test/harness/temporary.ts";
import { serverPrefix } from "../machine/cores.ts";
import { processorTimeNs } from "../machine/processor-time.ts";
import type { Facts } from "./requests.ts";

export interface Contender {
	readonly name: string;
	/** The path of its petstore executable. */
	readonly program: string;
}

export interface RunningContender {
	readonly url: string;
	/** Processor time since its start. */
	readonly processorTimeNs: () => number;
	readonly readFacts: () => Promise<Facts>;
	readonly stop: () => Promise<void>;
}

export type Engine = "sqlite" | "postgres";

export async function startContender(
	{ program }: Contender,
	engine: Engine,
	wrapper: readonly string[],
): Promise<RunningContender> {
	const folder = temporaryFolder();
	const database =
		engine === "sqlite" ? temporaryDatabase() : await createDatabase();
	const options = { program, cwd: folder.path };
	const flags = ["--database", database.url];
	const made = await run(["keys", "create", "--name", "x", ...flags], options);
	if (made.status !== 0)
		throw new Error(`No key could be created: ${made.stderr}`);
	const key = made.stdout.trim();
	const [command = program, ...args] = [
		...[...serverPrefix(), ...wrapper],
		...[program, "serve", "--port", "0", ...flags],
	];
	const running = start([command, ...args], options);
	const url = await waitFor(
		() => /"url":"([^"]+)"/.exec(running.output().stderr)?.[1],
		() => `${program} did not start: ${running.output().stderr}`,
	);
	await fill(url, key);
	return {
		url,
		processorTimeNs: () => processorTimeNs(running.pid),
		async readFacts() {
			const headers = { Authorization: `Bearer ${key}` };
			const list = await fetch(`${url}/v1/pets`, { headers });
			await list.text();
			return { key, etag: list.headers.get("ETag") ?? "" };
		},
		async stop() {
			running.kill("SIGTERM");
			await running.finished;
			await database.remove();
			folder.remove();
		},
	};
}

const animals = 1_000;
const statuses = ["available", "pending", "sold"];

async function fill(url: string, key: string): Promise<void> {
	const add = (number: number) =>
		fetch(`${url}/v1/pets`, {
			method: "POST",
			headers: {
				Authorization: `Bearer ${key}`,
				"Content-Type": "application/json",
			},
			body: JSON.stringify({
				name: `Rex ${number}`,
				categoryId: number,
				status: statuses[number % 3],
			}),
		});
	for (let number = 0; number < animals; number += 100)
		await Promise.all(
			Array.from({ length: 100 }, (_, index) => add(number + index)),
		);
}
