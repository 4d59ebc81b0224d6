// Starts child processes, mostly the command line as a user runs it, and returns their output and exit status.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const petstore = `${root}bin/petstore`;

export interface ProcessOptions {
	readonly cwd: string;
	readonly env?: Record<string, string>;
	/** The petstore executable of a copy of the project. Defaults to that of the project. */
	readonly program?: string;
}

export interface Finished {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** A process that runs until it ends or gets a signal. */
export type Running = ReturnType<typeof start>;

export function start(
	[command, ...args]: readonly [string, ...string[]],
	{ cwd, env = {} }: ProcessOptions,
) {
	const child = spawn(command, args, {
		cwd,
		// The service must not read variables of the tests.
		env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	children.add(child);
	child.once("exit", () => children.delete(child));
	const output = { stdout: "", stderr: "" };
	child.stdout.setEncoding("utf8").on("data", (text) => {
		output.stdout += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text) => {
		output.stderr += text;
	});
	const finished = once(child, "close").then(
		([status]): Finished => ({ status, ...output }),
	);
	const printed = () => output.stdout + output.stderr;
	return {
		pid: child.pid ?? 0,
		output: () => output,
		/** Waits for the first match in what it prints. */
		printed: (pattern: RegExp) =>
			waitFor(() => pattern.exec(printed()) ?? undefined, printed),
		kill: (signal: NodeJS.Signals) => child.kill(signal),
		/** Stops it with SIGTERM, and waits for its end. */
		stop() {
			child.kill("SIGTERM");
			return finished;
		},
		finished,
	};
}

const children = new Set<ChildProcess>();

/** Kills the processes of failed tests. */
export function killLeftovers(): void {
	for (const child of children) child.kill("SIGKILL");
}

export function run(
	args: readonly string[],
	options: ProcessOptions,
): Promise<Finished> {
	return start([options.program ?? petstore, ...args], options).finished;
}

/** Starts a service and waits until it listens. Takes the URL from its log or, for a sandbox, from its banner. */
export async function serve(
	args: readonly string[],
	options: ProcessOptions,
	command: "serve" | "sandbox" = "serve",
): Promise<Running & { url: string }> {
	const running = start(
		[options.program ?? petstore, command, "--port", "0", ...args],
		options,
	);
	let hasEnded = false;
	running.finished.then(() => {
		hasEnded = true;
	});
	const problem = () => `the service did not start: ${running.output().stderr}`;
	const url = await waitFor(() => {
		const { stdout, stderr } = running.output();
		const [, shown] =
			/"url":"([^"]+)"/.exec(stderr) ??
			/^ {2}Address +(\S+)$/m.exec(stdout) ??
			[];
		if (shown === undefined && hasEnded) throw new Error(problem());
		return shown;
	}, problem);
	return { ...running, url };
}

/** Calls `look` until it returns a value other than false, and returns that. Throws `message` after ten seconds or the given time. */
export async function waitFor<Value>(
	look: () => Awaitable<Value | false | undefined>,
	message: string | (() => string) = "It did not happen in time.",
	timeoutMs = 10_000,
): Promise<Value> {
	const begun = performance.now();
	while (performance.now() - begun < timeoutMs) {
		const value = await look();
		if (value !== undefined && value !== false) return value;
		await Bun.sleep(5);
	}
	throw new Error(typeof message === "string" ? message : message());
}

type Awaitable<Value> = Value | Promise<Value>;
