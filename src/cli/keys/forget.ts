// `petstore keys forget`: deletes a revoked key for good.
import type { Command } from "commander";
import { OperatorError } from "../../contract/errors.ts";
import { refuseForgetting } from "../../contract/operator/keys/operations.ts";
import { type DatabaseFlags, databaseOption } from "../options.ts";
import { say } from "../print.ts";
import { withStore } from "../with-store.ts";
import { idArgument, noSuchKey, toKeyId } from "./arguments.ts";

export function addForget(keys: Command): void {
	const command = keys
		.command("forget")
		.description(
			"delete a key that was revoked 30 days ago or earlier; its usage stays",
		)
		.argument(...idArgument, toKeyId)
		.addOption(databaseOption)
		.addHelpText("after", "\nExamples:\n  petstore keys forget 2")
		.action((id: number) =>
			forgetKey(id, command.optsWithGlobals<DatabaseFlags>()),
		);
}

async function forgetKey(id: number, flags: DatabaseFlags): Promise<void> {
	const outcome = await withStore(flags, { create: false }, ({ keys }) =>
		keys.forget(id, Date.now()),
	);
	if (outcome === "missing") throw noSuchKey(id);
	if (outcome !== "forgotten")
		throw new OperatorError(refuseForgetting(outcome).message);
	say(`Deleted key ${id}.`);
}
