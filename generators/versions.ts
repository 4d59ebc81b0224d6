// The packages of the tools, with their exact versions.
import { root } from "../harness/process.ts";
import manifest from "./packages/package.json" with { type: "json" };

export const packagesFolder = `${root}generators/packages`;

const versions = manifest.dependencies;
export type PackageName = keyof typeof versions;

/** For the table, in Markdown. */
export function toVersions(names: readonly PackageName[]): string {
	return names.map((name) => `\`${name}\` ${versions[name]}`).join(", ");
}
