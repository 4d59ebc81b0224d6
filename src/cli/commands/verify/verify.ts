// `petstore verify`: runs the conformance cases against any pet store.
import { closeSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Command, Option } from "@commander-js/extra-typings";
import { countAddedAnimals } from "../../../../conformance/added-animals.ts";
import type { Case } from "../../../../conformance/case.ts";
import { cases, sections } from "../../../../conformance/cases.ts";
import { tryFirstRequest } from "../../../../conformance/first-request.ts";
import { toJsonReport, toJunitReport } from "../../../../conformance/report.ts";
import type { Target } from "../../../../conformance/request.ts";
import { canRun, type Result, run } from "../../../../conformance/run.ts";
import { toStopReason } from "../../../../conformance/stop-reason.ts";
import { toTextReport } from "../../../../conformance/text-report.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { toQuantity } from "../../../domain/quantity.ts";
import { orExplain } from "../../or-explain.ts";
import { canAsk, confirm } from "../../terminal/confirm.ts";
import { print, say } from "../../terminal/print.ts";
import { toTarget } from "./verified-store.ts";

export const command = new Command("verify")
	.argument("<url>", "its base address, with the prefix /v1")
	.addHelpText(
		"after",
		`
The cases add animals, which the interface cannot remove: do not run them on a
catalogue that you need. The command first says how many animals it adds. The
catalogue need not be empty, and the command may run again. Let no other client
add animals at the same time. The exit status is 0 if no case failed, 1 if one
failed, and 2 if the cases could not run.

Examples:
  petstore verify http://127.0.0.1:8081/v1 --key "$KEY"
  petstore verify https://pets.example.org/v1 --key "$KEY" --contract-only
  petstore verify https://127.0.0.1:8443/v1 --key "$KEY" --cacert own.crt --yes`,
	)
	.addOption(
		new Option("--key <key>", "API key that may read and write")
			.env("PETSTORE_API_KEY")
			.makeOptionMandatory(),
	)
	.addOption(
		new Option("--read-key <key>", "API key that may only read").env(
			"PETSTORE_READ_API_KEY",
		),
	)
	.option(
		"--only <text>",
		"run only cases with this text in their name or section",
	)
	.option(
		"--contract-only",
		"check only what the interface document requires, without our additions",
	)
	.option(
		"--cacert <file>",
		"certificate to trust for HTTPS in place of the system's, in PEM form",
	)
	.option("-y, --yes", "do not ask before animals are added")
	.option("--verbose", "show the whole reply of each failure")
	.option("--json", "print one JSON object")
	.option("--junit <file>", "also write a JUnit report");

type VerifyFlags = ReturnType<typeof command.opts>;

command.action(async (url, flags) => {
	const target = toTarget(url, flags);
	const chosen = cases.filter((one) => isChosen(one, flags));
	if (chosen.length === 0)
		throw new OperatorError(
			`No case matches --only "${flags.only}"; choose another text.`,
			2,
		);
	const { junit } = flags;
	const orCannotWrite = (work: () => void) =>
		orExplain(`--junit ${junit} cannot be written`, work, 2);
	if (junit !== undefined) orCannotWrite(() => requireWritable(junit));
	await requirePetStore(target);
	await announce(chosen, target, flags);
	const results = await runAll(chosen, target);
	print(
		flags.json
			? toJsonReport(results)
			: toTextReport(results, sections, flags.verbose ?? false),
	);
	if (junit !== undefined)
		orCannotWrite(() => writeFileSync(junit, toJunitReport(results)));
	if (results.some(({ outcome }) => outcome === "failed")) process.exitCode = 1;
});

function isChosen(
	{ name, section, addition }: Case,
	{ only = "", contractOnly }: VerifyFlags,
): boolean {
	const isFound = [name, section, addition ?? ""].some((text) =>
		text.toLowerCase().includes(only.toLowerCase()),
	);
	return isFound && (!contractOnly || addition === undefined);
}

async function requirePetStore(target: Target): Promise<void> {
	const keys = { "--key": target.key, "--read-key": target.readKey };
	for (const [flag, key] of Object.entries(keys)) {
		if (key === undefined) continue;
		const problem = await tryFirstRequest(target, key, flag);
		if (problem !== undefined) throw new OperatorError(problem, 2);
	}
}

/** Says how many animals will be added, and asks on a terminal. */
async function announce(
	chosen: readonly Case[],
	target: Target,
	{ yes }: VerifyFlags,
): Promise<void> {
	const runnable = chosen.filter((one) => canRun(one, target));
	const animals = countAddedAnimals(runnable);
	const added =
		animals === 0
			? "no animals."
			: `at most ${toQuantity(animals, "animal")}, which the interface cannot remove.`;
	say(
		`${toQuantity(runnable.length, "case")} will run against ${target.baseUrl}.\nThis adds ${added}`,
	);
	if (animals === 0 || yes || !canAsk()) return;
	if (!(await confirm("Continue?")))
		throw new OperatorError("Nothing was added.", 2);
}

async function runAll(
	chosen: readonly Case[],
	target: Target,
): Promise<readonly Result[]> {
	const results: Result[] = [];
	for await (const result of run(chosen, target)) {
		results.push(result);
		const problem = toStopReason(results, target);
		const [done, all] = [results.length, chosen.length];
		const isEnd = done === all || problem !== undefined;
		if (process.stderr.isTTY)
			process.stderr.write(`\r${done} of ${all}${isEnd ? "\n" : ""}`);
		if (problem !== undefined) throw new OperatorError(problem, 2);
	}
	return results;
}

/** Runs before the cases: a wrong path must not lose results. Leaves an existing file unchanged, and no new one behind. */
function requireWritable(file: string): void {
	const found = statSync(file, { throwIfNoEntry: false });
	// Opening and closing a pipe would end it for its reader.
	if (found?.isFIFO()) return;
	closeSync(openSync(file, "a"));
	if (found === undefined) rmSync(file);
}
