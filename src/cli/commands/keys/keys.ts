// `petstore keys …`: also while the service runs on the same database. Here are the commands that change one key.
import { Command } from "@commander-js/extra-typings";
import { refuseForgetting } from "../../../contract/operator/keys/operations.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { toTimeText } from "../../../domain/time.ts";
import { databaseOption } from "../../flags.ts";
import { addHelp } from "../../terminal/help.ts";
import { say } from "../../terminal/print.ts";
import { withStore } from "../../with-store.ts";
import {
	idArgument,
	noSuchKey,
	toKeyId,
	toName,
	toSecond,
} from "./arguments.ts";
import { createCommand, rotateCommand } from "./create.ts";
import { listCommand } from "./list.ts";

export const keysCommand = new Command("keys")
	.description("make, list, rename, rotate, revoke and forget API keys")
	.addHelpText(
		"after",
		`
Examples:
  petstore keys create --name "my laptop"
  petstore keys list
  petstore keys rotate 2 --overlap 1h
  petstore keys revoke 2`,
	)
	.addCommand(createCommand)
	.addCommand(listCommand);

keysCommand
	.command("rename")
	.description("give a key another name")
	.argument(...idArgument, toKeyId)
	.argument("<name>", "what or whom it is for", toName)
	.addOption(databaseOption)
	.addHelpText("after", '\nExamples:\n  petstore keys rename 2 "my phone"')
	.action(async (id, name, flags) => {
		const key = await withStore(flags, { create: false }, ({ keys }) =>
			keys.rename(id, name),
		);
		if (key === undefined) throw noSuchKey(id);
		say(`Key ${id} is now ${key.name}.`);
	});

keysCommand.addCommand(rotateCommand);

keysCommand
	.command("revoke")
	.description(
		"refuse a key from now on; a running service follows within a second",
	)
	.argument(...idArgument, toKeyId)
	.addOption(databaseOption)
	.addHelpText("after", "\nExamples:\n  petstore keys revoke 2")
	.action(async (id, flags) => {
		const key = await withStore(flags, { create: false }, ({ keys }) =>
			keys.revoke(id, Date.now()),
		);
		if (key === undefined) throw noSuchKey(id);
		say(
			key.revokedAt === undefined
				? `Revoked key ${id} (${key.name}).`
				: `Key ${id} (${key.name}) was revoked already, at ${toSecond(toTimeText(key.revokedAt))}.`,
		);
	});

keysCommand
	.command("forget")
	.description(
		"delete a key that was revoked 30 days ago or earlier; its usage stays",
	)
	.argument(...idArgument, toKeyId)
	.addOption(databaseOption)
	.addHelpText("after", "\nExamples:\n  petstore keys forget 2")
	.action(async (id, flags) => {
		const outcome = await withStore(flags, { create: false }, ({ keys }) =>
			keys.forget(id, Date.now()),
		);
		if (outcome === "missing") throw noSuchKey(id);
		if (outcome !== "forgotten")
			throw new OperatorError(refuseForgetting(outcome).message);
		say(`Deleted key ${id}.`);
	});

addHelp(keysCommand);
