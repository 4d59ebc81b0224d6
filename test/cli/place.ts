// A folder for the tests of a file, and the command line in it: in pipes, as a service, in a shell and on a terminal.
import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import {
	petstore,
	type Running,
	run,
	serve,
	start,
	waitFor,
} from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

export const apiKey = "a-key-known-to-the-tests";
export const authorized = { headers: { Authorization: `Bearer ${apiKey}` } };

type Variables = Record<string, string>;
/** Words, or one text of words without spaces. */
type Words = string | readonly string[];

/** A new folder for each test, or one for all tests of the file. */
export function usePlace(per: "test" | "file" = "test") {
	let folder: ReturnType<typeof temporaryFolder>;
	const [before, after] =
		per === "test" ? [beforeEach, afterEach] : [beforeAll, afterAll];
	before(() => {
		folder = temporaryFolder();
	});
	after(() => folder.remove());
	const terminals = new Set<Terminal>();
	afterEach(() => {
		for (const terminal of terminals) terminal.kill("SIGKILL");
		terminals.clear();
	});
	const toOptions = (env: Variables = {}) => ({ cwd: folder.path, env });
	return {
		/** The path of the folder, or of a file in it. */
		path: (name?: string) =>
			name === undefined ? folder.path : `${folder.path}/${name}`,
		run: (words: Words, env?: Variables) => run(toList(words), toOptions(env)),
		start: (words: Words, env?: Variables): Running =>
			start([petstore, ...toList(words)], toOptions(env)),
		/** A service that listens. */
		serve: (words: Words = "", env?: Variables) =>
			serve(toList(words), toOptions(env)),
		/** A shell that runs a line, in which `petstore` is the program. */
		shell: (line: string): Running =>
			start(
				["sh", "-c", line.replaceAll(/\bpetstore (?=[a-z-])/g, `${petstore} `)],
				toOptions(),
			),
		terminal(words: Words, env: Variables = {}, cols = 80): Terminal {
			const options = { cwd: folder.path, env, cols };
			const terminal = openTerminal(toList(words), options);
			terminals.add(terminal);
			return terminal;
		},
	};
}

function toList(words: Words): readonly string[] {
	return typeof words === "string" ? words.split(" ").filter(Boolean) : words;
}

export type Terminal = ReturnType<typeof openTerminal>;

function openTerminal(
	words: readonly string[],
	{ cwd, env, cols }: { cwd: string; env: Variables; cols: number },
) {
	let shown = "";
	const decoder = new TextDecoder();
	const child = Bun.spawn([petstore, ...words], {
		cwd,
		env: { PATH: process.env.PATH, TERM: "xterm", ...env },
		// Not a Terminal that exists already, since that would not be the controlling terminal of the process.
		terminal: {
			cols,
			rows: 50,
			data(_terminal, bytes) {
				shown += decoder.decode(bytes, { stream: true });
			},
		},
	});
	return {
		/** Waits until the terminal shows it. */
		until: (pattern: RegExp) =>
			waitFor(
				() => pattern.exec(shown) ?? undefined,
				() => shown,
			),
		type: (text: string) => child.terminal?.write(text),
		kill: (signal: NodeJS.Signals) => child.kill(signal),
		close: () => child.terminal?.close(),
		exited: child.exited,
		/** Its exit status, and everything that it has shown. */
		async finished(): Promise<[status: number, shown: string]> {
			const status = await child.exited;
			// The last bytes may arrive after the exit.
			await waitFor(
				() => shown.endsWith("\n"),
				() => shown,
			);
			child.terminal?.close();
			return [status, shown];
		},
	};
}
