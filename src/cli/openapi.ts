// `petstore openapi`: the OpenAPI document on stdout.
import { type Command, Option } from "commander";
import {
	type OpenApiVersion,
	openApiVersions,
	toOpenApi,
} from "../contract/openapi/document.ts";
import { operator } from "../contract/operator/interface.ts";
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
  petstore openapi --version 3.0
  petstore openapi --interface operator`,
		)
		.addOption(
			new Option("--interface <name>", "which interface it describes")
				.choices(["v1", "operator"])
				.default("v1"),
		)
		.addOption(
			new Option("--version <version>", "version of OpenAPI")
				.choices(openApiVersions)
				.default(openApiVersions[0]),
		)
		.action((flags: OpenapiFlags) => {
			const { baseUrl, stagingUrl, operationIds } = toDocumentConfig(flags);
			const addresses = { baseUrl, stagingUrl };
			print(
				flags.interface === "v1"
					? toOpenApi(v1, { ...addresses, operationIds }, flags.version)
					: toOpenApi(operator, addresses, flags.version),
			);
		});
	for (const option of documentOptions) command.addOption(option);
}

interface OpenapiFlags extends DocumentFlags {
	readonly version: OpenApiVersion;
	readonly interface: "v1" | "operator";
}
