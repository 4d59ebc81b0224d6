// How each kind of tool is tried, and how its result is put into words.
import { type Finished, waitFor } from "../harness/process.ts";
import {
	largeInteger,
	type Reply,
	type Trial,
	toNewPet,
	withTrial,
} from "./trial.ts";

export interface Outcome {
	readonly result: string;
	/** What happens to an int64 that a JavaScript number cannot represent. */
	readonly int64: string;
}

export type Judge = (trial: Trial, command: string) => Promise<Outcome>;

/** A tool that generates a client. `call` runs a program that uses the client and prints a report. */
export function client(compile: string, call: string): Judge {
	return async (trial, command) => {
		const generated = await trial.run(command);
		if (generated.status !== 0)
			return toFailure("It does not generate", generated);
		const compiled = await trial.run(compile);
		if (compiled.status !== 0)
			return toFailure("It does not compile", compiled);
		const called = await trial.run(call);
		return called.status === 0
			? toClientOutcome(trial, called.stdout)
			: toFailure("It compiles and does not call", called);
	};
}

/** A TypeScript client, with a program of generators/clients. */
export function typescriptClient(program: string): Judge {
	return client(`${typeCheck} ${program}`, `bun ${program}`);
}

/** A Python client in the folder `petstore`. */
export function pythonClient(program: string): Judge {
	const inFolder = "PYTHONPATH=petstore python3";
	return client("python3 -m compileall -q petstore", `${inFolder} ${program}`);
}

/** A Go client in the folder `petstore`. The program is a test in its package. */
export function goClient(program: string): Judge {
	return client(
		"cd petstore && { test -f go.mod || go mod init petstore; } && go mod tidy && go vet .",
		`cd petstore && cp ../${program} . && go test -v -run TestCalls .`,
	);
}

/** A tool that tests both interfaces, on a file and on PostgreSQL. */
export function onBothEngines(judge: Judge): Judge {
	return async (_trial, command) => {
		const results: string[] = [];
		for (const engine of ["sqlite", "postgres"] as const) {
			const run = (trial: Trial) => judge(trial, command);
			const { result } = await withTrial(run, engine);
			results.push(`${engine}: ${result}`);
		}
		return { result: results.join(" "), int64: "" };
	};
}

/** A tool that prints a report. In the result, `$1` stands for the first group of the pattern. */
export function reports(pattern: RegExp, result: string): Judge {
	return async (trial, command) => {
		const ran = await trial.run(command);
		const [found] = pattern.exec(toText(ran)) ?? [];
		return found === undefined
			? toFailure("It does not report", ran)
			: { result: found.replace(pattern, result), int64: "" };
	};
}

/** A program that the machine has, with its own version. */
export function runs(program: string): Judge {
	return async (trial, command) => {
		const [version = ""] = toText(
			await trial.run(`${program} --version`),
		).split("\n");
		const ran = await trial.run(command);
		return ran.status === 0
			? { result: `${version}: it ends without an error.`, int64: "" }
			: toFailure(`${version}: it ends with an error`, ran);
	};
}

/** A proxy that checks requests and replies. */
export const proxies: Judge = async (trial, command) => {
	const proxy = trial.start(`exec ${command}`);
	const { proxyUrl, call } = trial;
	try {
		await waitFor(
			() => (/listening/.test(proxy.output().stdout) ? true : undefined),
			() => `the proxy did not start: ${proxy.output().stdout}`,
			30_000,
		);
		const added = await call(`${proxyUrl}/pets`, toNewPet("1"));
		const listed = await call(`${proxyUrl}/pets?limit=1`);
		const got = await call(`${proxyUrl}/pets/2`);
		const sent = await call(`${proxyUrl}/pets`, toNewPet(largeInteger));
		const read = await call(`${proxyUrl}/pets/1`);
		return {
			result: `list ${listed.status}, add ${added.status}, get ${got.status}.`,
			int64: `${largeInteger}: add ${toVerdict(sent)}, get ${toVerdict(read)}`,
		};
	} finally {
		proxy.kill("SIGTERM");
		await proxy.finished;
	}
};

const typeCheck =
	"tsc --noEmit --strict --skipLibCheck --target esnext --lib esnext,dom,dom.iterable --module preserve --moduleResolution bundler --allowImportingTsExtensions";

interface Report {
	readonly lists: boolean;
	readonly adds: boolean;
	readonly gets: boolean;
	readonly readsErrors: boolean;
	readonly read?: string;
}

async function toClientOutcome(
	{ url, call }: Trial,
	output: string,
): Promise<Outcome> {
	const line = output.split("\n").find((one) => one.startsWith("{")) ?? "";
	const { lists, adds, gets, readsErrors, read }: Report = JSON.parse(line);
	const { text } = await call(`${url}/pets?limit=1`);
	const words = Object.entries({ list: lists, add: adds, get: gets }).map(
		([operation, works]) => `${operation} ${works ? "works" : "is refused"}`,
	);
	return {
		result: `It compiles; ${words.join(", ")}, an error is ${readsErrors ? "" : "not "}read.`,
		int64: `sent ${adds ? `as ${categoryIdOf(text)}` : "in a body that is refused"}, read as ${read}`,
	};
}

function categoryIdOf(text: string): string | undefined {
	return /"categoryId":([^,}]+)/.exec(text)?.[1];
}

function toVerdict({ status, text }: Reply): string {
	return status < 300 ? `gives ${categoryIdOf(text)}` : `is a ${status}`;
}

function toFailure(problem: string, ran: Finished): Outcome {
	const line = toText(ran)
		.split("\n")
		.find((one) => /error|fail|redeclared/i.test(one));
	return { result: `${problem}: ${line?.trim()}`, int64: "" };
}

function toText({ stdout, stderr }: Finished): string {
	return Bun.stripANSI(stdout + stderr);
}
