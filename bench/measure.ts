// Readings of several targets in turn: each in a fresh process on its catalogue, warmed up, loaded for a second at a time, ended.
import { launch, type Server } from "./launch.ts";
import { type Load, type Outcome, toRequest } from "./load/load.ts";
import { runLoad } from "./load/run.ts";
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
}

/** For each task as many readings as there are turns: what else the machine does falls on all of a turn. */
export async function measureInTurn(
	tasks: readonly Task[],
	{ warmUpSeconds, turns }: { warmUpSeconds: number; turns: number },
	shelf: Shelf,
): Promise<readonly (readonly Reading[])[]> {
	const subjects: Subject[] = [];
	try {
		for (const task of tasks) subjects.push(await open(task, shelf));
		for (const { load } of subjects)
			await runLoad({ ...load, firstNumber: 0, seconds: warmUpSeconds });
		const readings = subjects.map((): Reading[] => []);
		for (let turn = 1; turn <= turns; turn++)
			for (const [seat, subject] of subjects.entries())
				readings[seat]?.push(await read(subject, turn));
		return readings;
	} finally {
		for (const { close } of subjects) await close();
	}
}

/** A target that runs and waits for its turn. */
interface Subject extends Pick<Reading, "idleMb" | "busy"> {
	readonly server: Server;
	readonly load: Omit<Load, "firstNumber" | "seconds">;
	readonly close: () => Promise<void>;
}

async function open(task: Task, shelf: Shelf): Promise<Subject> {
	const { target, trial, animals, connections } = task;
	const reply = target.repeats ? await shelf.record(trial, animals) : "";
	const lender = shelf.catalogues[target.catalogue];
	const loan = await lender.lend(animals, trial.adds ?? false);
	const server = await launch(target, { catalogue: loan.place, reply });
	const busy = await waitForQuiet(...rest);
	const idleMb = server.residentMb();
	const templates = trial.requests({ animals, etag: server.etag });
	await requireRightReplies(server.url, templates);
	return {
		...{ server, busy, idleMb },
		load: { url: server.url, templates, animals, connections },
		async close() {
			await server.stop();
			await loan.giveBack();
		},
	};
}

async function read(
	{ server, load, idleMb, busy }: Subject,
	turn: number,
): Promise<Reading> {
	// Far enough apart that no number is sent twice.
	const firstNumber = 50_000_000 * turn;
	const watched = await watch(server, { ...load, firstNumber, seconds: 1 });
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
		const outcome = await runLoad(load);
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
