// `petstore openapi`: the OpenAPI document on stdout.
import { type Command, Option } from "commander";
import { toOpenApi } from "../contract/openapi/document.ts";
import {
	type OpenApiVersion,
	openApiVersions,
} from "../contract/openapi/version.ts";
import { v1 } from "../contract/v1/interface.ts";
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
  petstore openapi --base-url https://pets.example.org
  petstore openapi --version 3.0`,
		)
		.addOption(
			new Option("--version <version>", "version of OpenAPI")
				.choices(openApiVersions)
				.default(openApiVersions[0]),
		)
		.action((flags: DocumentFlags & { version: OpenApiVersion }) => {
			print(toOpenApi(v1, toDocumentConfig(flags), flags.version));
		});
	for (const option of documentOptions) command.addOption(option);
}

/**
 * Commander gives `--version` to the program wherever it stands. Before a value it is meant for `openapi`, and Commander gives
 * `--version=3.0` to the command.
 */
export function joinOpenApiVersion(args: readonly string[]): string[] {
	const [runtime = "", program = "", ...rest] = args;
	if (rest[0] !== "openapi") return [...args];
	const at = rest.indexOf("--version");
	const value = rest[at + 1];
	if (at < 0 || value === undefined || value.startsWith("-")) return [...args];
	return [runtime, program, ...rest.toSpliced(at, 2, `--version=${value}`)];
}
