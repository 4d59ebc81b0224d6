// Runs the sandbox as a child process. It stops when its stdin, a pipe from this process, closes, even by a crash.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { toCommand } from "../../bin/command.cjs";
import { parseRounded } from "../client/json.ts";

/** The flags of `petstore sandbox`, by their names. */
type Flags = Readonly<Record<string, string | number | undefined>>;

export async function startSandbox(flags: Flags) {
	const given = Object.entries(flags).flatMap(([name, value]) =>
		value === undefined ? [] : [`--${name}=${value}`],
	);
	const [program, ...args] = toCommand([...start, ...given]);
	const child = spawn(program, args);
	// EPIPE after the child has exited; `stop` checks that.
	child.stdin.on("error", () => {});
	const ready = parseRounded<{ url: string; key: string }>(
		await readLine(child),
	);
	release(child);
	return { ...ready, stop: () => end(child) };
}

const start = "sandbox --port 0 --ready-file - --stop-with-stdin".split(" ");

function readLine(child: ChildProcessWithoutNullStreams): Promise<string> {
	return new Promise((resolve, reject) => {
		let line = "";
		let problem = "";
		child.stdout.setEncoding("utf8").on("data", (text) => {
			line += text;
			if (line.endsWith("\n")) resolve(line);
		});
		child.stderr.setEncoding("utf8").on("data", (text) => {
			problem += text;
		});
		child.once("error", reject);
		child.once("close", (status, signal) =>
			reject(
				new Error(
					problem.trim() ||
						`The pet store ended at its start with ${signal ?? `status ${status}`}.`,
				),
			),
		);
	});
}

/** Lets this process exit while the child runs. The child drops log lines that it cannot write. */
function release(child: ChildProcessWithoutNullStreams): void {
	child.stdout.destroy();
	child.stderr.destroy();
	child.unref();
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.ref();
	child.stdin.end();
	await once(child, "exit");
}
