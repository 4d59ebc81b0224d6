/// <reference lib="esnext.disposable" preserve="true" />
// petstore-service/testing: starts a pet store for tests, from any test runner, as a process that ends with the test process.
// It runs in Node.js and Bun, and imports only the client.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toCommand } from "../../bin/command.cjs";
import { createClient } from "../client/client.ts";
import { parseRounded, toJson } from "../client/json.ts";
import { requireKnown } from "../client/options.ts";
import { type OwnPet, petsToJson } from "../client/pet.ts";
import {
	type ConnectedPetstore,
	type ConnectOptions,
	connectPetstore,
	type FaultRule,
	type Start,
} from "./control.ts";

export type { OwnPet } from "../client/pet.ts";
export * from "./control.ts";
export type { Operation } from "./operations.ts";
export type { RecordedRequest } from "./recorded-request.ts";

export interface StartOptions extends Start, Omit<ConnectOptions, "url"> {
	/** Fault rules at the start and after each reset. */
	readonly faults?: readonly FaultRule[] | undefined;
	/** Delay of every request to `/v1` and `/operator/v1`, in milliseconds. */
	readonly delay?: number | undefined;
}

export interface Petstore extends ConnectedPetstore, AsyncDisposable {
	/** Stops the store; resolves when its process has exited. Can be called twice. */
	readonly stop: () => Promise<void>;
}

/** Starts a store. Resolves when it answers; rejects with the process's message if it does not start. */
export async function startPetstore(
	options: StartOptions = {},
): Promise<Petstore> {
	requireKnown(options, known);
	const { pets, faults, seed, delay, key, ...ofClient } = options;
	// Before the process starts: after an error nobody could stop it.
	createClient({ ...ofClient, url: "http://127.0.0.1", key: "sandbox" });
	const flags = { seed, delay, key, faults: faults && toJson(faults) };
	const { stop, ...running } = Array.isArray(pets)
		? await runWith(pets, flags)
		: await run({ ...flags, pets });
	const store = connectPetstore({ ...ofClient, ...running });
	// A first request makes both processes load what later ones need.
	await store.requests();
	return { ...store, stop, [Symbol.asyncDispose]: stop };
}

const known = [
	...["pets", "seed", "key", "faults", "delay"],
	...["fetch", "timeout", "retry", "onDeprecation"],
];

type Flags = Readonly<Record<string, unknown>>;

/** A list may be too long for a flag. */
async function runWith(pets: readonly OwnPet[], flags: Flags) {
	const lines = petsToJson(pets).join("\n");
	const folder = mkdtempSync(join(tmpdir(), "petstore-"));
	try {
		const data = join(folder, "pets.ndjson");
		writeFileSync(data, lines);
		return await run({ ...flags, data });
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** The sandbox stops when its stdin, a pipe from this process, closes, even by a crash. */
async function run(flags: Flags) {
	const given = Object.entries(flags).flatMap(([name, value]) =>
		value === undefined ? [] : [`--${name}=${value}`],
	);
	const [program, ...args] = toCommand([...fixed, ...given]);
	const child = spawn(program, args);
	// EPIPE after the child has exited; `stop` waits for that.
	child.stdin.on("error", () => {});
	let problem = "";
	child.stderr.on("data", (text) => {
		problem += text;
	});
	const ended = once(child, "close");
	const line = once(child.stdout.setEncoding("utf8"), "data");
	const [first] = await Promise.race([line, ended]);
	if (typeof first !== "string")
		throw new Error(toReason(problem) || "The pet store ended at its start.");
	// Lets this process exit while the child runs. The child drops log lines that it cannot write.
	child.stdout.destroy();
	child.stderr.destroy();
	child.unref();
	async function stop(): Promise<void> {
		child.ref();
		child.stdin.end();
		await ended;
	}
	return { ...parseRounded<{ url: string; key: string }>(first), stop };
}

/** Names the entry of `pets` instead of the line of its file. */
function toReason(problem: string): string {
	return problem
		.trim()
		.replace(/^.*\.ndjson, line (\d+): /, (_, line) => `pets[${line - 1}].`);
}

const fixed = "sandbox --port 0 --ready-file - --stop-with-stdin".split(" ");
