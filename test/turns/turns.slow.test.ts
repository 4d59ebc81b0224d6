// No request makes others wait: the longest turn of the event loop, and the memory, while each hostile input is sent to a large catalogue.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { toPet } from "../harness/pet.ts";
import { root, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { engines, newDatabase } from "../store/engines.ts";
import { type Input, inputs, keyKinds, longName, slowName } from "./inputs.ts";
import { type Measured, socketVariable } from "./monitor.ts";

const animals = 300_000;
const maxTurnMs = 50;
const maxMemoryMb = 200;
/** What files of 60 MB and names of 255 characters still take at most, right after other long work: 223 MB. It must not become more. */
const reachedMb = 240;
/** Another program can hold up the service: the shortest of so many tries counts. */
const tries = 5;

/** Of those who must not wait. */
const others: readonly Omit<Input, "status">[] = [
	{ by: "none", request: "GET /healthz" },
	{ by: "read", request: "GET /v1/pets" },
	{
		by: "read-write",
		request: "POST /v1/pets",
		body: () => '{"name":"Rex","categoryId":1}',
	},
];

test.each(engines)(
	"%s: no input makes others wait, or fills the memory",
	async (engine) => {
		using folder = temporaryFolder();
		const database = await newDatabase(engine);
		const keys = await fill(database.url);
		const unix = join(folder.path, "turns");
		const backups = join(folder.path, "backups");
		const service = await serve(
			["--database", database.url, "--backups", backups],
			{
				cwd: folder.path,
				env: {
					BUN_OPTIONS: `--preload=${root}test/turns/monitor.ts`,
					[socketVariable]: unix,
				},
			},
		);
		const measure = async (): Promise<Measured> =>
			(await fetch("http://localhost", { unix })).json();
		const table: Row[] = [];
		let edit = "";

		async function send(input: Omit<Input, "status">): Promise<number> {
			const [method = "", path] = input.request
				.replace("{edit}", edit)
				.split(" ");
			const reply = await fetch(`${service.url}${path}`, {
				method,
				headers: {
					...(input.by !== "none" && {
						Authorization: `Bearer ${keys.get(input.by)}`,
					}),
					...input.headers,
				},
				body: input.body ? Buffer.from(input.body()) : null,
			});
			const { status, headers } = reply;
			if (status >= 500 && "status" in input)
				console.log(path, await reply.text());
			else for await (const _ of reply.body ?? []);
			edit = headers.get("Edit-Id") ?? edit;
			return status;
		}

		/** While others are answered. Returns how long one of them waited. */
		async function tryInput(input: Input) {
			await measure();
			let isDone = false;
			const sent = Promise.all(
				Array.from({ length: input.atOnce ?? 1 }, () => send(input)),
			).finally(() => {
				isDone = true;
			});
			let othersMs = 0;
			while (!isDone)
				for (const one of others) {
					const begun = performance.now();
					await send(one);
					othersMs = Math.max(othersMs, performance.now() - begun);
					await Bun.sleep(2);
				}
			const status = [...new Set(await sent)].join();
			return { ...(await measure()), othersMs, status };
		}

		for (const [name, input] of Object.entries(inputs)) {
			const { peakMb, ...first } = await tryInput(input);
			let { status, turnMs, othersMs } = first;
			const isRight = () => status === `${input.status}`;
			for (let tried = 1; tried < tries; tried++) {
				if (turnMs <= maxTurnMs && isRight()) break;
				const again = await tryInput(input);
				if (!isRight()) ({ status } = again);
				turnMs = Math.min(turnMs, again.turnMs);
				othersMs = Math.min(othersMs, again.othersMs);
			}
			const [turn, other, memory] = [turnMs, othersMs, peakMb].map(Math.round);
			table.push({ input: name, status, turn, other, memory });
		}
		const isSmall = async () => (await measure()).memoryMb < maxMemoryMb;
		await waitFor(isSmall, "The memory did not return.", 30_000);
		console.table(table);
		await service.stop();
		await database.remove();
		const isWrong = ({ input, status, turn = 0, memory = 0 }: Row) =>
			status !== `${inputs[input]?.status}` ||
			turn > maxTurnMs ||
			memory > reachedMb;
		expect(table.filter(isWrong)).toEqual([]);
	},
	900_000,
);

/** Milliseconds and megabytes. */
interface Row {
	readonly input: string;
	readonly status: string;
	/** The longest of the event loop. */
	readonly turn: number | undefined;
	/** The slowest of the others. */
	readonly other: number | undefined;
	readonly memory: number | undefined;
}

/** A third of the animals have each status. Some have an edit. */
async function fill(url: string) {
	const store = await openStore(url, { access: "create" });
	const statuses = ["available", "pending", "sold"] as const;
	await store.archive.fill(
		Array.from({ length: animals }, (_, index) =>
			toPet({
				id: BigInt(index + 1),
				name: toName(index),
				categoryId: BigInt(index % 10_000),
				status: statuses[index % 3] ?? "sold",
			}),
		),
	);
	for (let part = 0; part < 20; part++)
		await store.catalogue.changePets(
			Array.from({ length: 1_000 }, (_, index) => ({
				petId: BigInt(part * 1_000 + index + 1),
				set: { categoryId: -2n },
			})),
		);
	const keys = new Map<string, string>();
	for (const scope of keyKinds)
		if (scope !== "none") {
			const { key, record } = makeKey({ scope });
			await store.keys.add(record);
			keys.set(scope, key);
		}
	await store.close();
	return keys;
}

function toName(index: number): string {
	if (index < 1_000 || index >= animals - 1_000) return longName;
	return index < 20_000 ? slowName : `Rex ${index}`;
}
