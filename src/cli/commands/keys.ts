// `petstore keys …`. Works while the service runs on the same database.
import { Command, Option } from "@commander-js/extra-typings";
import { OperatorError } from "../../domain/errors.ts";
import { keyScopes, scopeMeanings } from "../../domain/key-scope.ts";
import { toTimeText } from "../../domain/time.ts";
import type { Key } from "../../store/keys.ts";
import {
	databaseOption,
	readWhen,
	refuse,
	toName,
	wholeNumber,
} from "../flags.ts";
import { issueKey } from "../issue-key.ts";
import { print, printJson, say, toJsonText } from "../terminal/print.ts";
import { cutTo, toTable } from "../terminal/table.ts";
import { explainFailure, withStore, withStoreReader } from "../with-store.ts";

export const command = new Command("keys").addHelpText(
	"after",
	`
Examples:
  petstore keys create --name "my laptop"
  petstore keys list
  petstore keys revoke 2`,
);

const hint = 'see "petstore keys list"';

command
	.command("create")
	.description("make a key and print it once")
	.requiredOption(
		"--name <name>",
		"person or program that uses the key",
		toName,
	)
	.addOption(
		new Option("--scope <scope>", "permissions of the key")
			.choices(keyScopes)
			.default("read-write" as const),
	)
	.option(
		"--expires <when>",
		"expiry: 90d, 12h, 15m, 30s, a date like 2027-01-31 (00:00 UTC), or a time (default: never)",
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
	.action(async ({ name, scope, expires: expiresAt, ...flags }) => {
		const until = toTimeOrNull(expiresAt);
		const life =
			until === null ? "never expires" : `expires ${toSecond(until)}`;
		const toText = ({ id, key }: { id: number; key: string }) =>
			flags.json
				? toJsonText({ id, name, key, scope, expiresAt: until })
				: `${key}\n`;
		await withStore(
			flags,
			async ({ keys }) => {
				const made = await issueKey(keys, { name, scope, expiresAt }, toText);
				if (!flags.json)
					say(
						`Made key ${made} in ${flags.database.shown} (${scope}, ${life}). It is not shown again.`,
					);
			},
			{ create: true },
		).catch(
			explainFailure(
				"the key was made",
				`${hint}, and revoke the key if it was made, because its secret is lost`,
			),
		);
	});

command
	.command("list")
	.description("show all keys, without their secrets")
	.option("--json", "print a JSON array, with exact times")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
"deprecated" is the day of the last call of a deprecated operation.

Examples:
  petstore keys list --json`,
	)
	.action(async (flags) => {
		const listed = await withStoreReader(flags, ({ keys }) => keys.list());
		if (flags.json) return printJson(listed.map(toView));
		if (listed.length === 0)
			return say(
				'No key exists; make one with "petstore keys create --name NAME".',
			);
		print(toTable(listed.map(toLine)));
	});

addIdCommand("rename", "give a key another name", '2 "my phone"')
	.argument("<name>", "person or program that uses the key", toName)
	.action(async (id, name, flags) => {
		const key = await withStore(flags, ({ keys }) => keys.rename(id, name));
		if (key === undefined) throw noSuchKey(id);
		say(`Renamed key ${id} to ${key.name}.`);
	});

addIdCommand(
	"revoke",
	"refuse a key from now on; a running service follows within a second",
).action(async (id, flags) => {
	const key = await withStore(flags, ({ keys }) => keys.revoke(id, Date.now()));
	if (key === undefined) throw noSuchKey(id);
	say(
		key.revokedAt === undefined
			? `Revoked key ${id} (${key.name}).`
			: `Key ${id} (${key.name}) was already revoked at ${toSecond(toTimeText(key.revokedAt))}.`,
	);
});

function addIdCommand(name: string, description: string, example = "2") {
	return command
		.command(name)
		.description(description)
		.argument(
			"<id>",
			'id of the key, as "keys list" shows it',
			wholeNumber(1, 10 ** 15 - 1, `the id of a key, a whole number; ${hint}`),
		)
		.addOption(databaseOption)
		.addHelpText("after", `\nExamples:\n  petstore keys ${name} ${example}`);
}

function toFutureTime(text: string): number {
	const now = Date.now();
	const at =
		readWhen(text, now, 1) ??
		refuse(
			"a duration like 90d, 12h, 15m or 30s, a date like 2027-01-31, or a time like 2027-01-31T08:30:00Z, before the year 10000 in UTC",
		);
	return at > now ? at : refuse("in the future");
}

function noSuchKey(id: number): OperatorError {
	return new OperatorError(`No key has the id ${id}; ${hint}.`);
}

/** The members of a key that may be shown. */
function toView(key: Key) {
	return {
		id: key.id,
		name: key.name,
		prefix: key.prefix,
		scope: key.scope,
		state: toState(key),
		createdAt: toTimeText(key.createdAt),
		expiresAt: toTimeOrNull(key.expiresAt),
		revokedAt: toTimeOrNull(key.revokedAt),
		lastUsedAt: toTimeOrNull(key.lastUsedAt),
		deprecatedUseAt: toTimeOrNull(key.deprecatedUseAt),
	};
}

/** A table row within 80 columns: times to the day, in UTC. */
function toLine(key: Key) {
	const { id, name, prefix, scope, state, ...times } = toView(key);
	return {
		id,
		name: cutTo(name, nameWidth),
		key: `${prefix}…`,
		scope,
		expires: state === "valid" ? toDay(times.expiresAt) : state,
		"last used": toDay(times.lastUsedAt),
		deprecated: toDay(times.deprecatedUseAt),
	};
}

/** The other columns take 64 with ids of up to three digits. */
const nameWidth = 16;

function toState({ revokedAt, expiresAt = Infinity }: Key): string {
	if (revokedAt !== undefined) return "revoked";
	return expiresAt <= Date.now() ? "expired" : "valid";
}

function toTimeOrNull(time: number | undefined): string | null {
	return time === undefined ? null : toTimeText(time);
}

function toSecond(iso: string): string {
	return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}

function toDay(iso: string | null): string {
	return iso === null ? "never" : iso.slice(0, 10);
}
