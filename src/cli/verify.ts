// `petstore verify`: runs the conformance cases against any pet store.
import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import type { Case } from "../../conformance/case.ts";
import {
	toJsonReport,
	toJunitReport,
	toTextReport,
} from "../../conformance/report.ts";
import type { Result } from "../../conformance/run.ts";
import { OperatorError, toReason } from "../contract/errors.ts";
import { type VerifyFlags, verifyOptions } from "./options.ts";
import { print } from "./print.ts";

export function addVerify(program: Command): void {
	const command = program
		.command("verify")
		.description("run the conformance cases against a pet store")
		.argument("<url>", "its base address, with the prefix /v1")
		.addHelpText(
			"after",
			`
It adds animals, needs no empty catalogue, and may be run again. No other client should add animals meanwhile.

Examples:
  petstore verify http://127.0.0.1:8080/v1 --key "$KEY"
  petstore verify https://pets.example.org/v1 --key "$KEY" --contract-only --junit report.xml`,
		)
		.action((url: string, flags: VerifyFlags) => verify(url, flags));
	for (const option of verifyOptions) command.addOption(option);
}

async function verify(url: string, flags: VerifyFlags): Promise<void> {
	if (!/^https?:\/\//.test(url) || !URL.canParse(url))
		throw new OperatorError("The address must be a URL with http(s)://.", 2);
	const { cases, run, sections } = await loadCases();
	const chosen = cases.filter((one) => isChosen(one, flags));
	if (chosen.length === 0)
		throw new OperatorError(`No case has "${flags.only}" in it.`, 2);
	const results: Result[] = [];
	const target = {
		baseUrl: url.replace(/\/$/, ""),
		key: flags.key,
		readKey: flags.readKey,
		send: (request: Request) =>
			fetch(request, {
				redirect: "manual",
				signal: AbortSignal.timeout(requestTimeoutMs),
			}),
	};
	for await (const result of run(chosen, target)) {
		results.push(result);
		showProgress(results.length, chosen.length);
	}
	print(flags.json ? toJsonReport(results) : toTextReport(results, sections));
	if (flags.junit !== undefined) writeJunit(flags.junit, results);
	if (results.some(({ outcome }) => outcome === "failed")) process.exitCode = 1;
}

const requestTimeoutMs = 10_000;

function writeJunit(file: string, results: readonly Result[]): void {
	try {
		writeFileSync(file, toJunitReport(results));
	} catch (error) {
		throw new OperatorError(
			`--junit ${file} cannot be written: ${toReason(error)}.`,
		);
	}
}

/** Loaded only for this command: the cases would be a fifth of the heap of the service. */
async function loadCases() {
	const { cases, sections } = await import("../../conformance/cases.ts");
	const { run } = await import("../../conformance/run.ts");
	return { cases, run, sections };
}

function isChosen(
	{ name, section, addition }: Case,
	{ only = "", contractOnly }: VerifyFlags,
): boolean {
	const isFound = [name, section, addition ?? ""].some((text) =>
		text.toLowerCase().includes(only.toLowerCase()),
	);
	return isFound && (!contractOnly || addition === undefined);
}

function showProgress(done: number, all: number): void {
	if (!process.stderr.isTTY) return;
	process.stderr.write(`\r${done} of ${all}${done === all ? "\n" : ""}`);
}
