// One reading: a fresh process on its catalogue, warmed up, loaded, ended.
import { launch, type Server } from "./launch.ts";
import { type Load, type Outcome, run, toRequest } from "./load/load.ts";
import { waitForQuiet } from "./machine.ts";
import type { Reading } from "./results.ts";
import type { Shelf } from "./shelf.ts";
import type { Target } from "./targets.ts";
import type { Template, Trial } from "./trials.ts";

export interface Task {
	readonly target: Target;
	readonly trial: Trial;
	readonly animals: number;
	readonly connections: number;
	readonly warmUpSeconds: number;
	readonly seconds: number;
}

export async function measure(task: Task, shelf: Shelf): Promise<Reading> {
	const { target, trial, animals } = task;
	const reply = target.repeats ? await shelf.record(trial, animals) : "";
	const lender = shelf.catalogues[target.catalogue];
	const loan = await lender.lend(animals, trial.adds ?? false);
	const server = await launch(target, { catalogue: loan.place, reply });
	try {
		return await read(task, server);
	} finally {
		await server.stop();
		await loan.giveBack();
	}
}

async function read(task: Task, server: Server): Promise<Reading> {
	const { trial, animals, connections, warmUpSeconds, seconds } = task;
	const busy = await waitForQuiet(...rest);
	const idleMb = server.residentMb();
	const templates = trial.requests({ animals, etag: server.etag });
	await requireRightReplies(server.url, templates);
	const load = { url: server.url, templates, animals, connections };
	await run({ ...load, firstNumber: 0, seconds: warmUpSeconds });
	const measured = { ...load, firstNumber: 100_000_000, seconds };
	const watched = await watch(server, measured);
	return { ...watched, idleMb, busy, startMs: server.startMs };
}

/** For what a process does after its first reply, and for others to end what they do: 0.2 to 2 seconds. */
export const rest = [200, 10] as const;

/** Runs the load, and looks for the most memory that the server takes meanwhile. */
export async function watch(
	server: Server,
	load: Load,
): Promise<Outcome & { loadMb: number }> {
	const seen: number[] = [];
	const timer = setInterval(() => seen.push(server.residentMb()), 100);
	try {
		const outcome = await run(load);
		return { ...outcome, loadMb: Math.max(server.residentMb(), ...seen) };
	} finally {
		clearInterval(timer);
	}
}

/** A server that is fast at the wrong thing is not measured. */
export async function requireRightReplies(
	url: string,
	templates: readonly Template[],
): Promise<void> {
	for (const template of templates.slice(0, 20)) {
		const number = template.number === "random" ? 1 : 999_999_999;
		const response = await fetch(toRequest(url, template, number));
		const text = await response.text();
		if (response.status !== template.status)
			throw new Error(
				`${template.method} ${url}${template.path} gave ${response.status} instead of ${template.status}: ${text}`,
			);
	}
}
