// `petstore sandbox`: a pet store in memory for people who build clients, with demo animals and a known key.
import {
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { OperatorError } from "../../domain/errors.ts";
import { toFileKind } from "../../domain/pet/file-format.ts";
import type { NumberedPet } from "../../domain/pet/pet.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { list } from "../../domain/types/object.ts";
import { count, parsed, toSwitch, whole } from "../../domain/types/scalar.ts";
import {
	optional,
	withDefault,
	withDescription,
} from "../../domain/types/type.ts";
import { ownPets } from "../../formats/pet.ts";
import {
	FormatError,
	isProblems,
	problemToText,
} from "../../formats/problem.ts";
import { createReader } from "../../formats/reader.ts";
import { maxFaultDelayMs } from "../../limits.ts";
import { createLog, openOutput } from "../../log.ts";
import { openPetstore } from "../../petstore.ts";
import { defaultKey, toPlaces } from "../../sandbox/access.ts";
import { defaultStart, maxDemoAnimals } from "../../sandbox/demo-animals.ts";
import { rulesType } from "../../sandbox/rules.ts";
import { withIds } from "../../sandbox/start.ts";
import { toCommand } from "../command.ts";
import { apiKeyOf, hostOf, isHost, pathOf, portOf } from "../flags.ts";
import { openBrowser, orExplain, print } from "../terminal/print.ts";
import { untilSignal } from "../terminal/signal.ts";

/** A port after a name does not count. */
function toAllowed(text: string): string | undefined {
	const host = text.replace(/^([^:]+):\d+$/, "$1");
	return text === "*" || isHost(host) ? host : undefined;
}

export const flags = {
	port: portOf("Port to listen on; 0 takes a free one."),
	host: withDefault(
		hostOf(
			"Address to listen on; one that is not loopback needs --allow-host.",
		),
		"127.0.0.1",
	),
	allowHost: optional(
		withDescription(
			list(
				parsed(
					"",
					toAllowed,
					"must be a host name, an IP address or *",
					String,
					{},
				),
				1_000,
			),
			"Host that clients on other machines may call; repeatable, * is any.",
		),
	),
	key: withDefault(apiKeyOf("API key of the sandbox."), defaultKey),
	pets: optional(
		whole(
			`Demo animals in the sandbox; by default ${defaultStart.pets}.`,
			0,
			maxDemoAnimals,
		),
	),
	seed: withDefault(count("Seed for the demo animals."), defaultStart.seed),
	data: optional(
		pathOf(
			"Start with the animals of this NDJSON or CSV file, with their ids if it has them.",
		),
	),
	faults: optional(
		withDescription(
			rulesType,
			"Fault rules at the start and after each reset, as a list in JSON.",
		),
	),
	delay: optional(
		whole(
			"Delay every request to /v1 and /operator/v1 by this many milliseconds.",
			0,
			maxFaultDelayMs,
		),
	),
	open: toSwitch("Open the reference page in the browser."),
	readyFile: optional(
		pathOf(
			"Write address and key to this file, as JSON, when the sandbox is ready; - is stdout, without the banner.",
		),
	),
	stopWithStdin: toSwitch(
		"Stop when stdin ends, for example with the program that started the sandbox.",
	),
};

export const command = toCommand("sandbox", {
	flags,
	help: `The sandbox has demo animals and the API key "sandbox". It fails on request and
shows the requests that it received. It reads only the port from the
environment.`,
	examples: [
		"petstore sandbox --open",
		"petstore sandbox --pets 5 --seed 42",
		"petstore sandbox --port 0 --ready-file ready.json",
		"petstore sandbox --port 0 --ready-file - --stop-with-stdin",
	],
	async run({ host, port, readyFile, ...given }) {
		const stop = untilSignal();
		const { key, allowHost: allowHosts, data, seed, faults, delay } = given;
		if (data !== undefined && given.pets !== undefined)
			throw new OperatorError("Give either --data or --pets.", 2);
		const pets =
			data === undefined
				? (given.pets ?? defaultStart.pets)
				: readDataFile(data);
		const petstore = await openPetstore({
			database: "sqlite::memory:",
			address: { host, port },
			sandbox: { pets, seed, faults, delay, key, allowHosts },
			log: { to: createLog({ ...openOutput(), isTerminal: true }) },
		});
		const { url } = petstore;
		try {
			if (readyFile !== undefined) writeReadyFile(readyFile, { url, key });
			const count = typeof pets === "number" ? pets : pets.length;
			if (readyFile !== stdout) print(toBanner(url, key, count, allowHosts));
			if (given.open) openBrowser(`${url}/docs`);
			await (given.stopWithStdin
				? Promise.race([stop, untilStdinEnds()])
				: stop);
		} finally {
			await petstore.stop();
			if (readyFile !== undefined && readyFile !== stdout)
				rmSync(readyFile, { force: true });
		}
	},
});

/** Instead of the path of a ready file. */
const stdout = "-";

/** Renames a second file, so that no reader sees half of it. Other users cannot plant a link under its random name. */
function writeReadyFile(
	path: string,
	ready: { readonly url: string; readonly key: string },
) {
	const text = `${JSON.stringify(ready)}\n`;
	if (path === stdout) return print(text);
	const beside = `${path}.${crypto.randomUUID()}`;
	const mode = ready.key === defaultKey ? 0o644 : 0o600;
	orExplain(`The file ${path} of --ready-file cannot be written`, () => {
		// A device or a pipe is not ours to replace.
		if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
			throw new Error("it is not a regular file");
		writeFileSync(beside, text, { flag: "wx", mode });
		renameSync(beside, path);
	});
}

/** Throws an OperatorError with the first wrong line. */
function readDataFile(file: string): readonly NumberedPet[] {
	const { format, isGzip } = toFileKind(file, undefined, "rename the file");
	const bytes = orExplain(
		`The file ${file} of --data cannot be read`,
		() => (isGzip ? Bun.gunzipSync(readFileSync(file)) : readFileSync(file)),
		2,
	);
	const lines: number[] = [];
	try {
		const all = [...createReader(format, ownPets)(bytes, true)];
		const pets = all.flatMap(({ line, read }) => {
			if (isProblems(read))
				throw new FormatError(line, read.map(problemToText).join(" "));
			if (read) lines.push(line);
			return read ?? [];
		});
		return withIds(pets, (index, rule) => {
			throw new FormatError(lines[index] ?? 0, rule);
		});
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		throw new OperatorError(`${file}, line ${error.line}: ${error.message}`, 2);
	}
}

/** Stdin, a pipe, closes when the parent process exits, even by a crash. Not `process.stdin`, which Bun loads slowly. */
async function untilStdinEnds(): Promise<void> {
	try {
		for await (const _ of Bun.stdin.stream());
	} catch {}
}

/** No line is wider than 80 columns. */
function toBanner(
	url: string,
	key: string,
	count: number,
	/** With these, the control paths need the key. */
	allowHosts: readonly string[] = [],
): string {
	const needsKey = allowHosts.length > 0;
	const header = needsKey ? ` -H "Authorization: Bearer ${key}" \\\n   ` : "";
	// Each on a line of its own: a name may be long.
	const allowed = toPlaces(allowHosts)
		.map((host) => (host === "*" ? "any host" : host))
		.join("\n             ");
	return `
A pet store to try clients on, with ${toQuantity(count, "animal")} in memory.

  Address    ${url}
  API key    ${key}
  Reference  ${url}/docs
  Console    ${url}/console
  Control    ${url}/sandbox
${needsKey ? `  Allowed    ${allowed}\n` : ""}
Try it:

  curl -H "Authorization: Bearer ${key}" ${url}/v1/pets

Reset the sandbox, as often as you like:

  curl -X POST${header} ${url}/sandbox/reset

Requests are logged below. Press Ctrl-C to stop.

`;
}
