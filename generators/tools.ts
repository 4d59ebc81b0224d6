// The tools, as data: the command that the document shows, how its result is judged, and what a user should know.
import {
	goClient,
	type Judge,
	onBothEngines,
	proxies,
	pythonClient,
	reports,
	runs,
	typescriptClient,
} from "./judges.ts";
import {
	fromGo,
	fromPyPI,
	type PackageName,
	toVersion,
	toVersions,
} from "./versions.ts";

export interface Tool {
	readonly name: string;
	/** The packages with their versions, in Markdown, for the table. */
	readonly usage: string;
	/** Programs that the machine must have. */
	readonly needs: readonly string[];
	/** Run in a folder with openapi.json and openapi-3.0.json. */
	readonly command: string;
	readonly judge: Judge;
	/** What a user should know, in whole sentences. */
	readonly note: string;
}

const rounds =
	"JavaScript's JSON.parse and JSON.stringify round an integer above 2^53.";

/** The npm package downloads the version in openapitools.json from Maven Central. */
const generator = ["@openapitools/openapi-generator-cli"] as const;
const generate =
	"openapi-generator-cli generate -i openapi-3.0.json -o petstore -g";
const version =
	"[openapitools.json](../generators/clients/openapitools.json) selects version 7.25.0. The package downloads it from Maven Central.";

export const tools: readonly Tool[] = [
	fromNpm("openapi-typescript", ["openapi-typescript", "openapi-fetch"], {
		command: "openapi-typescript openapi.json -o petstore.ts",
		judge: typescriptClient("openapi-fetch.ts"),
		note: `${rounds} \`Error\` is \`components["schemas"]["Error"]\` and shadows nothing.`,
	}),
	fromNpm("hey-api", ["@hey-api/openapi-ts"], {
		command: "openapi-ts -i openapi.json -o petstore",
		judge: typescriptClient("hey-api.ts"),
		note: `${rounds} Import its type \`Error\` under another name.`,
	}),
	fromNpm("hey-api with bigint", ["@hey-api/openapi-ts"], {
		command: "openapi-ts -f hey-api.config.mjs",
		judge: typescriptClient("hey-api-bigint.ts"),
		note: "The [configuration](../generators/clients/hey-api.config.mjs) turns int64 into bigint, but after JSON.parse has rounded it. It sends a bigint as a JSON string, which the service refuses.",
	}),
	fromNpm("orval", ["orval"], {
		command: "orval --config orval.config.mjs",
		judge: typescriptClient("orval.ts"),
		note: `${rounds} The [configuration](../generators/clients/orval.config.mjs) needs \`baseUrl\`. Import its type \`Error\` under another name.`,
	}),
	fromNpm("openapi-generator, TypeScript", generator, {
		needs: ["java"],
		command: `${generate} typescript-fetch`,
		judge: typescriptClient("typescript-fetch.ts"),
		note: `${rounds} \`Error\` becomes \`ModelError\`. ${version}`,
	}),
	fromNpm("openapi-generator, Go", generator, {
		needs: ["java", "go"],
		command: `${generate} go --model-name-mappings NewPet=PetToAdd`,
		judge: goClient("openapi_generator_test.go"),
		note: "It names the constructor of `Pet` `NewPet`, like the schema, so give the schema another name. For the operator interface: `NewPet=PetToAdd,NewKey=KeyToMake`.",
	}),
	fromNpm("openapi-generator, Python", generator, {
		needs: ["java", "python3"],
		command: `${generate} python`,
		judge: pythonClient("openapi_generator.py"),
		note: "Use OpenAPI 3.0. In 3.1 a pattern of the operator interface has `\\P{C}`, which its checks do not support.",
	}),
	fromNpm("Spectral", ["@stoplight/spectral-cli"], {
		command: `echo '{"extends":["spectral:oas"]}' > .spectral.json && spectral lint --ruleset .spectral.json openapi.json openapi-3.0.json`,
		judge: reports(
			/\d+ problems \((\d+) errors?, (\d+) warnings?/,
			"$1 errors, $2 warnings.",
		),
		note: "One warning for each version, `info-contact`: the document cannot know who runs the service.",
	}),
	fromNpm("IBM OpenAPI Validator", ["ibm-openapi-validator"], {
		command: "lint-openapi openapi-3.0.json",
		judge: reports(
			/number of errors +: (\d+)\s+Total number of warnings +: (\d+)/,
			"$1 errors, $2 warnings.",
		),
		note: "It checks the rules of IBM's APIs: snake case, lists inside objects, limits on every string and integer. The interface document differs.",
	}),
	fromNpm("Prism, proxy", ["@stoplight/prism-cli"], {
		command:
			"prism proxy openapi.json http://127.0.0.1:8080/v1 --errors --port 4010",
		judge: proxies,
		note: "It rejects an int64 above 2^53, in requests and in replies. Its addresses have no `/v1`.",
	}),
	fromNpm("Portman", ["@apideck/portman"], {
		command:
			"portman -l openapi.json -b http://127.0.0.1:8080/v1 --envFile .env --runNewman -o collection.json",
		judge: reports(
			/requests │ +(\d+) .*assertions │ +(\d+) │ +(\d+)/s,
			"$1 requests, $2 assertions, $3 failed.",
		),
		note: "Put `PORTMAN_BEARER_TOKEN=` and the key into `.env`. The animal 1 must exist. The collection has all optional parameters, switched off.",
	}),
	fromNpm("Dredd", ["dredd"], {
		command:
			'dredd openapi.json http://127.0.0.1:8080/v1 --header "Authorization: Bearer $KEY" --hookfiles dredd-hooks.cjs',
		judge: reports(
			/(\d+) passing, (\d+) failing, \d+ errors, (\d+) skipped/,
			"$1 passing, $2 failing, $3 skipped.",
		),
		note: "Without the [hooks](../generators/clients/dredd-hooks.cjs) it expects a valid request to get every error of the document.",
	}),
	ofPyPI("openapi-spec-validator", {
		command: "openapi-spec-validator openapi.json openapi-3.0.json",
		judge: runs("openapi-spec-validator"),
		note: "",
	}),
	ofPyPI("openapi-python-client", {
		command:
			"openapi-python-client generate --path openapi.json --output-path petstore",
		judge: pythonClient("openapi_python_client.py"),
		note: "It has no type for the file of downloadBackup. Set one with `content_type_overrides`.",
	}),
	{
		name: "oapi-codegen",
		usage: toVersion("oapi-codegen", fromGo["oapi-codegen"].version),
		needs: ["oapi-codegen"],
		command:
			"mkdir petstore && oapi-codegen -generate types,client -package petstore -o petstore/petstore.go openapi-3.0.json",
		judge: goClient("oapi_codegen_test.go"),
		note: "",
	},
	ofPyPI("schemathesis", {
		command:
			'schemathesis run openapi.json --url http://127.0.0.1:8080/v1 -H "Authorization: Bearer $KEY" && schemathesis run operator-openapi.json --url http://127.0.0.1:8080/operator/v1 -H "Authorization: Bearer $KEY"',
		judge: onBothEngines(
			reports(
				/(\d+) generated, \1 passed.*?(\d+) generated, \2 passed/s,
				"$1 test cases for /v1 and $2 for /operator/v1, all passed.",
			),
		),
		note: "Run with all of its checks and the [configuration below](#run-schemathesis).",
	}),
	ofMachine(
		"cargo-progenitor",
		"cargo progenitor -i openapi-3.0.json -o petstore -n petstore -v 0.1.0",
	),
];

function fromNpm(
	name: string,
	packages: readonly PackageName[],
	details: Pick<Tool, "command" | "judge" | "note"> & Partial<Tool>,
): Tool {
	return { needs: [], ...details, name, usage: toVersions(packages) };
}

/** A tool of PyPI whose program has the same name. */
function ofPyPI(
	name: keyof typeof fromPyPI,
	details: Pick<Tool, "command" | "judge" | "note">,
): Tool {
	const usage = toVersion(name, fromPyPI[name]);
	return { ...details, name, usage, needs: [name] };
}

/** A tool that the machine must have, by the name of its program. */
function ofMachine(name: string, command: string): Tool {
	return {
		name,
		usage: `\`${name}\``,
		needs: [name],
		command,
		judge: runs(name),
		note: "",
	};
}
