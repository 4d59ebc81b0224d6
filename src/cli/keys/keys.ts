// `petstore keys …`: also while the service runs on the same database.
import type { Command } from "commander";
import { addHelp } from "../help.ts";
import { addCreate } from "./create.ts";
import { addForget } from "./forget.ts";
import { addList } from "./list.ts";
import { addRename } from "./rename.ts";
import { addRevoke } from "./revoke.ts";
import { addRotate } from "./rotate.ts";

export function addKeys(program: Command): void {
	const keys = program
		.command("keys")
		.description("make, list, rename, rotate, revoke and forget API keys")
		.addHelpText(
			"after",
			`
Examples:
  petstore keys create --name "my laptop"
  petstore keys list
  petstore keys rotate 2 --overlap 1h
  petstore keys revoke 2`,
		);
	addCreate(keys);
	addList(keys);
	addRename(keys);
	addRotate(keys);
	addRevoke(keys);
	addForget(keys);
	addHelp(keys);
}
