// `petstore keys rename`: gives a key another name.
import type { Command } from "commander";
import { type DatabaseFlags, databaseOption } from "../options.ts";
import { say } from "../print.ts";
import { withStore } from "../with-store.ts";
import { idArgument, noSuchKey, toKeyId, toName } from "./arguments.ts";

export function addRename(keys: Command): void {
	const command = keys
		.command("rename")
		.description("give a key another name")
		.argument(...idArgument, toKeyId)
		.argument("<name>", "what or whom it is for", toName)
		.addOption(databaseOption)
		.addHelpText("after", '\nExamples:\n  petstore keys rename 2 "my phone"')
		.action((id: number, name: string) =>
			renameKey(id, name, command.optsWithGlobals<DatabaseFlags>()),
		);
}

async function renameKey(
	id: number,
	name: string,
	flags: DatabaseFlags,
): Promise<void> {
	const key = await withStore(flags, { create: false }, ({ keys }) =>
		keys.rename(id, name),
	);
	if (key === undefined) throw noSuchKey(id);
	say(`Key ${id} is now ${key.name}.`);
}
