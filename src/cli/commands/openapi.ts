// `petstore openapi`: the OpenAPI document on stdout.
import { Command, Option } from "@commander-js/extra-typings";
import { openApiVersions, toOpenApi } from "../../contract/openapi/document.ts";
import { operator } from "../../contract/operator/interface.ts";
import { v1 } from "../../contract/v1/interface.ts";
import { withVariables } from "../environment.ts";
import { addDocumentOptions, toDocumentConfig } from "../service-flags.ts";
import { print } from "../terminal/print.ts";

export const command = addDocumentOptions(
	withVariables(new Command("openapi"))
		.addHelpText(
			"after",
			`
Examples:
  petstore openapi > openapi.json
  petstore openapi --base-url https://pets.example.org
  petstore openapi --openapi 3.0
  petstore openapi --interface operator`,
		)
		.addOption(
			new Option("--interface <name>", "interface to describe")
				.choices(["v1", "operator"])
				.default("v1" as const),
		)
		.addOption(
			new Option("--openapi <version>", "version of OpenAPI")
				.choices(openApiVersions)
				.default(openApiVersions[0]),
		),
).action((flags) => {
	const { operationIds, ...addresses } = toDocumentConfig(flags);
	print(
		flags.interface === "v1"
			? toOpenApi(v1, { ...addresses, operationIds }, flags.openapi)
			: toOpenApi(operator, addresses, flags.openapi),
	);
});
