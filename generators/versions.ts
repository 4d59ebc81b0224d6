// The exact versions of the tools: those of npm in packages/package.json, the others here.
import { root } from "../harness/process.ts";
import manifest from "./packages/package.json" with { type: "json" };

export const packagesFolder = `${root}generators/packages`;

const fromNpm = manifest.dependencies;
export type PackageName = keyof typeof fromNpm;

/** From PyPI. Clients of openapi-generator need the last one. */
export const fromPyPI = {
	"openapi-python-client": "0.29.1",
	"openapi-spec-validator": "0.9.0",
	schemathesis: "4.32.5",
	"python-dateutil": "4.0.0",
} as const;

/** Go modules, by the names of their programs. */
export const fromGo = {
	"oapi-codegen": {
		module: "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen",
		version: "2.8.2",
	},
} as const;

/** In Markdown, for the table. */
export function toVersions(names: readonly PackageName[]): string {
	return names.map((name) => toVersion(name, fromNpm[name])).join(", ");
}

export function toVersion(name: string, version: string): string {
	return `\`${name}\` ${version}`;
}
