// `petstore openapi`: the OpenAPI document on stdout.
import { Command, Option } from "@commander-js/extra-typings";
import { openApiVersions, toOpenApi } from "../../interface/openapi.ts";
import { operator } from "../../operator/interface.ts";
import { v1 } from "../../v1/interface.ts";
import { baseUrlOption, stagingUrlOption } from "../flags.ts";
import { print } from "../terminal/print.ts";

export const command = new Command("openapi")
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
	)
	.addOption(baseUrlOption)
	.addOption(stagingUrlOption)
	.action((flags) => {
		const described = flags.interface === "v1" ? v1 : operator;
		print(toOpenApi(described, flags, flags.openapi));
	});
