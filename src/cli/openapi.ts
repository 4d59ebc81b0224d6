// `petstore openapi`: the OpenAPI document on stdout.
import type { Command } from "commander";
import { toOpenApi } from "../contract/openapi/document.ts";
import { toDocumentConfig } from "./config.ts";
import { type DocumentFlags, documentOptions } from "./options.ts";
import { print } from "./print.ts";

export function addOpenapi(program: Command): void {
	const command = program
		.command("openapi")
		.description("print the OpenAPI document")
		.addHelpText(
			"after",
			`
Examples:
  petstore openapi > openapi.json
  petstore openapi --base-url https://pets.example.org`,
		)
		.action((flags: DocumentFlags) => {
			print(toOpenApi(toDocumentConfig(flags)));
		});
	for (const option of documentOptions) command.addOption(option);
}
