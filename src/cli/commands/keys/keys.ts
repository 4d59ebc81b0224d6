// `petstore keys …`. Works while the service runs on the same database. create.ts has the commands that print a secret.
import { Command } from "@commander-js/extra-typings";
import { OperatorError } from "../../../domain/errors.ts";
import { toTimeText } from "../../../domain/time.ts";
import type { Key } from "../../../store/keys.ts";
import { databaseOption, toName } from "../../flags.ts";
import { addHelp } from "../../terminal/help.ts";
import { print, printJson, say } from "../../terminal/print.ts";
import { cutTo, toTable } from "../../terminal/table.ts";
import { withStore, withStoreReader } from "../../with-store.ts";
import {
	createCommand,
	idArgument,
	noSuchKey,
	rotateCommand,
	toSecond,
	toTimeOrNull,
} from "./create.ts";

export const command = new Command("keys")
	.addHelpText(
		"after",
		`
Examples:
  petstore keys create --name "my laptop"
  petstore keys list
  petstore keys rotate 2 --overlap 1h
  petstore keys revoke 2`,
	)
	.addCommand(createCommand);

command
	.command("list")
	.description("show all keys, without their secrets")
	.option("--json", "print a JSON array, with exact times")
	.addOption(databaseOption)
	.addHelpText("after", "\nExamples:\n  petstore keys list --json")
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

command.addCommand(rotateCommand);

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

addIdCommand(
	"forget",
	"delete a key that was revoked 30 days ago or earlier; its usage stays",
).action(async (id, flags) => {
	const outcome = await withStore(flags, ({ keys }) =>
		keys.forget(id, Date.now()),
	);
	if (outcome === "missing") throw noSuchKey(id);
	if (outcome !== "forgotten") {
		// Loaded only now: it is more code than the commands themselves.
		const { refuseForgetting } = await import(
			"../../../contract/operator/keys/operations.ts"
		);
		throw new OperatorError(refuseForgetting(outcome).message);
	}
	say(`Deleted key ${id}.`);
});

addHelp(command);

function addIdCommand(name: string, description: string, example = "2") {
	return command
		.command(name)
		.description(description)
		.argument(...idArgument)
		.addOption(databaseOption)
		.addHelpText("after", `\nExamples:\n  petstore keys ${name} ${example}`);
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
		state,
		expires: toDay(times.expiresAt),
		"last used": toDay(times.lastUsedAt),
	};
}

/** The other columns take 61 with ids of up to three digits. */
const nameWidth = 19;

function toState({ revokedAt, expiresAt = Infinity }: Key): string {
	if (revokedAt !== undefined) return "revoked";
	return expiresAt <= Date.now() ? "expired" : "valid";
}

function toDay(iso: string | null): string {
	return iso === null ? "never" : iso.slice(0, 10);
}
