// `petstore licenses`: the licences of third-party code in the program. build/licenses.ts gathers them.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command } from "@commander-js/extra-typings";
import { OperatorError } from "../../domain/errors.ts";
import { locate } from "../../program.ts";
import { print } from "../terminal/print.ts";

export const licensesFile = fileURLToPath(locate("dist/licenses.txt"));

export const command = new Command("licenses").action(() => {
	if (!existsSync(licensesFile))
		throw new OperatorError(
			'The file with the licences is missing; run "npm run build" in the folder of the program.',
		);
	print(readFileSync(licensesFile, "utf8"));
});
