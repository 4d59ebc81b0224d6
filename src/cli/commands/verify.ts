// `petstore verify`: runs the conformance cases against a pet store, ours or another.
import {
	findObstacle,
	findStop,
	isAdd,
} from "../../../conformance/cannot-run.ts";
import type { Case } from "../../../conformance/case.ts";
import { cases } from "../../../conformance/cases.ts";
import { toJsonReport, toTextReport } from "../../../conformance/report.ts";
import type { Target } from "../../../conformance/request.ts";
import { type Result, run } from "../../../conformance/run.ts";
import { OperatorError } from "../../domain/errors.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { toSwitch } from "../../domain/types/scalar.ts";
import { isLoopback } from "../../http/address.ts";
import { orVariable, toCommand } from "../command.ts";
import { ignoreProxies } from "../environment.ts";
import { apiKeyOf, json, urlOf, yes } from "../flags.ts";
import { print, requireYes, say } from "../terminal/print.ts";

/** How long `petstore verify` waits for a reply. A slow pet store is not wrong. */
const verifyTimeoutMs = 10_000;

export const command = toCommand("verify", {
	arguments: { url: urlOf("Its base address, with the prefix /v1.", /\/*$/) },
	flags: {
		key: orVariable(apiKeyOf("API key that may read and write."), "API_KEY"),
		contractOnly: toSwitch(
			"Check only what the interface document requires, without our additions.",
		),
		yes,
		json,
	},
	help: `The cases add animals, which the interface cannot remove: do not run them on a
catalogue that you need. The command first says how many animals it adds. The
catalogue need not be empty, and the command may run again. Let no other client
add animals at the same time. The exit status is 0 if no case failed, 1 if one
failed, and 2 if the cases could not run.`,
	examples: [
		'petstore verify http://127.0.0.1:8081/v1 --key "$KEY"',
		'petstore verify https://pets.example.org/v1 --key "$KEY" --contract-only',
	],
	async run({ url, key, contractOnly, yes, json }) {
		const target = toTarget(url, key);
		const chosen = cases.filter(
			({ rule }) => !contractOnly || !rule.isAddition,
		);
		const obstacle = await findObstacle(target);
		if (obstacle !== undefined) throw new OperatorError(obstacle, 2);
		// An upper bound: counts every add, even one that a conforming pet store refuses.
		const adds = chosen.flatMap(({ steps }) => steps).filter(isAdd).length;
		say(
			`${toQuantity(chosen.length, "case")} will run against ${target.baseUrl}.\nThis adds at most ${toQuantity(adds, "animal")}, which the interface cannot remove.`,
		);
		if (!yes) await requireYes("Continue?", "Nothing was added.", 2);
		const results = await runAll(chosen, target);
		print(json ? toJsonReport(results) : toTextReport(results));
		if (results.some(({ failure }) => failure !== undefined))
			process.exitCode = 1;
	},
});

function toTarget(baseUrl: string, key: string): Target {
	if (isLoopback(new URL(baseUrl).hostname)) ignoreProxies();
	return {
		baseUrl,
		key,
		send: (request) =>
			fetch(request, {
				redirect: "manual",
				signal: AbortSignal.timeout(verifyTimeoutMs),
			}),
	};
}

async function runAll(
	chosen: readonly Case[],
	target: Target,
): Promise<readonly Result[]> {
	const results: Result[] = [];
	for await (const result of run(chosen, target)) {
		results.push(result);
		const problem = findStop(results, target);
		if (problem !== undefined) throw new OperatorError(problem, 2);
	}
	return results;
}
