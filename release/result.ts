// The final output of a release: the files, and the next steps of the maintainer.
import { readdirSync, statSync } from "node:fs";
import { toTag } from "./checks.ts";
import type { Plan } from "./steps.ts";

export function describeResult(
	{ version, out }: Plan,
	isDryRun: boolean,
): string {
	const files = readdirSync(out)
		.sort()
		.map((name) => `  ${name}, ${statSync(`${out}/${name}`).size} bytes`);
	return [
		`Version ${version} is in ${out}:`,
		...files,
		...(isDryRun ? afterDryRun : afterRelease(version, out)),
	].join("\n");
}

const afterDryRun = [
	"This was a dry run. The checkout is unchanged, and the tests were not run. Do not publish these files: their commit is in no repository.",
];

function afterRelease(version: string, out: string): string[] {
	const tag = toTag(version);
	return [
		"Nothing is published yet. Next:",
		`  git push --atomic origin main ${tag}`,
		`  npm publish ${out}/petstore-service-${version}.tgz`,
		`  Attach all files of the folder to the release ${tag} of the repository.`,
	];
}
