// `petstore openapi`: the OpenAPI document on stdout.

import { oneOf } from "../../domain/types/scalar.ts";
import { withDefault } from "../../domain/types/type.ts";
import { openApiVersions, toOpenApi } from "../../interface/openapi.ts";
import { operator } from "../../operator/interface.ts";
import { v1 } from "../../v1/interface.ts";
import { toCommand, withVariables } from "../command.ts";
import { baseUrl, stagingUrl } from "../flags.ts";
import { print } from "../terminal/print.ts";

const interfaces = { v1, operator };

export const command = toCommand("openapi", {
	flags: withVariables({
		interface: withDefault(
			oneOf("Interface to describe.", ["v1", "operator"]),
			"v1",
		),
		openapi: withDefault(
			oneOf("Version of OpenAPI.", openApiVersions),
			openApiVersions[0],
		),
		baseUrl,
		stagingUrl,
	}),
	examples: [
		"petstore openapi > openapi.json",
		"petstore openapi --base-url https://pets.example.org",
		"petstore openapi --openapi 3.0",
		"petstore openapi --interface operator",
	],
	run: (given) =>
		print(toOpenApi(interfaces[given.interface], given, given.openapi)),
});
