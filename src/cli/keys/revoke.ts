// `petstore keys revoke`: refuses a key from now on.
import type { Command } from "commander";
import { toTimeText } from "../../contract/time.ts";
import { type DatabaseFlags, databaseOption } from "../options.ts";
import { say } from "../print.ts";
import { withStore } from "../with-store.ts";
import { idArgument, noSuchKey, toKeyId } from "./arguments.ts";
import { toSecond } from "./times.ts";

export function addRevoke(keys: Command): void {
	const command = keys
		.command("revoke")
		.description(
			"refuse a key from now on; a running service follows within a second",
		)
		.argument(...idArgument, toKeyId)
		.addOption(databaseOption)
		.addHelpText("after", "\nExamples:\n  petstore keys revoke 2")
		.action((id: number) =>
			revokeKey(id, command.optsWithGlobals<DatabaseFlags>()),
		);
}

async function revokeKey(id: number, flags: DatabaseFlags): Promise<void> {
	const key = await withStore(flags, { create: false }, ({ keys }) =>
		keys.revoke(id, Date.now()),
	);
	if (key === undefined) throw noSuchKey(id);
	say(
		key.revokedAt === undefined
			? `Revoked key ${id} (${key.name}).`
			: `Key ${id} (${key.name}) was revoked already, at ${toSecond(toTimeText(key.revokedAt))}.`,
	);
}
