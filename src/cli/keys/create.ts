// `petstore keys create`: makes a key and prints it, this once only.
import {
	Command,
	InvalidArgumentError,
	Option,
} from "@commander-js/extra-typings";
import { keyScopes, scopeMeanings } from "../../contract/key-scope.ts";
import { issueKey } from "../issue-key.ts";
import { databaseOption } from "../options.ts";
import { say, toJsonText } from "../print.ts";
import { refuse, toExpiry } from "../values.ts";
import { watchCreation, withStore } from "../with-store.ts";
import { toName, toSecond, toTimeOrNull } from "./arguments.ts";

export const createCommand = new Command("create")
	.description("make a key and print it, this once only")
	.requiredOption("--name <name>", "what or whom it is for", toName)
	.addOption(
		new Option("--scope <scope>", "what it may do")
			.choices(keyScopes)
			.default("read-write" as const),
	)
	.option(
		"--expires <when>",
		"90d, 12h, 15m, 30s, or a date like 2027-01-31, which means 00:00 UTC (default: never)",
		toFutureTime,
	)
	.option("--json", "print one JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Scopes:
${keyScopes.map((scope) => `  ${scope.padEnd(10)}  ${scopeMeanings[scope]}`).join("\n")}

Examples:
  petstore keys create --name ci --scope read --expires 90d
  petstore keys create --name Ada --scope operator
  KEY=$(petstore keys create --name script)`,
	)
	.action(async (flags) => {
		const { name, scope, expires: expiresAt, json, database } = flags;
		const until = toTimeOrNull(expiresAt);
		const sayCreation = watchCreation(flags);
		const made = await withStore(flags, { create: true }, ({ keys }) =>
			issueKey(keys, { name, scope, expiresAt }, ({ id, key }) =>
				json
					? toJsonText({ id, name, key, scope, expiresAt: until })
					: `${key}\n`,
			),
		);
		if (json) return;
		const life =
			until === null ? "never expires" : `expires ${toSecond(until)}`;
		say(
			`Made key ${made} in ${database.shown} (${scope}, ${life}). It is not shown again.`,
		);
		sayCreation();
	});

function toFutureTime(text: string): number {
	const now = Date.now();
	const at =
		toExpiry(text, now) ??
		refuse("a time like 90d, 12h, 15m or 30s, or a date like 2027-01-31");
	if (at <= now) throw new InvalidArgumentError("It must be in the future.");
	return at;
}
