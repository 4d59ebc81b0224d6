// `petstore licenses`: the licences of what the program contains besides its own code. The build gathers them (build/licenses.ts).
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
