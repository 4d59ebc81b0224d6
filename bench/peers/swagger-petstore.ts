// swagger-petstore, Swagger's sample server in Java. Build it first: npm, Maven Central and the Go module proxy do not have it.
// SWAGGER_PETSTORE is the folder of its repository after `mvn package`. With Java 17 its build needs
// MAVEN_OPTS=--add-opens=java.base/java.util=ALL-UNNAMED.
import { existsSync, readdirSync } from "node:fs";
import { isInstalled } from "../machine/programs.ts";
import type { Target } from "../plan/target.ts";
import type { Template } from "../plan/trials.ts";

export const swaggerPetstore = {
	name: "swagger-petstore",
	description:
		"swagger-petstore with its own ten animals in memory. It checks no API keys, and a list has all animals with a status. Its adds are not measured, because they are not safe when several clients add",
	storage: "none",
	basePath: "/api/v3",
	findObstacle: () => {
		const problem = findProblem();
		return problem && `${problem}, so swagger-petstore was not measured.`;
	},
	translate,
	trials: ["list", "get"],
	// Java compiles only code that has run often.
	warmUpSeconds: 10,
	command: ({ port }) => [
		...([
			"java",
			`-DswaggerUrl=${folder}/src/main/resources/openapi.yaml`,
		] as const),
		...[`-Dconfig=${folder}/inflector.yaml`, "-jar", runner],
		...["--port", String(port), `${folder}/target/${findArchive()}`],
	],
} as const satisfies Target;

const folder = process.env.SWAGGER_PETSTORE ?? "";
const runner = `${folder}/target/lib/jetty-runner.jar`;

function findProblem(): string | undefined {
	if (folder === "") return "SWAGGER_PETSTORE is not set";
	if (!isInstalled("java")) return "Java is not installed";
	return existsSync(runner) && findArchive() !== undefined
		? undefined
		: `${runner} or a .war file beside its folder is missing`;
}

function findArchive(): string | undefined {
	return readdirSync(`${folder}/target`).find((name) => name.endsWith(".war"));
}

function translate({ number, ...request }: Template): Template {
	return number === undefined
		? { ...request, path: "/pet/findByStatus?status=available" }
		: { ...request, path: "/pet/1" };
}
