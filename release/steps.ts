// The steps of a release, in their order. A dry run leaves out those of a release only.
import {
	appendFileSync,
	cpSync,
	existsSync,
	readdirSync,
	symlinkSync,
} from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { writeChecksums } from "../build/executable/checksums.ts";
import { withRelease } from "./changelog.ts";
import { problemsOf } from "./checks.ts";
import { execute } from "./command.ts";
import {
	cloneCheckout,
	commitAndTag,
	readCheckout,
	takeCommitAndTag,
	timeOfCommit,
} from "./repository.ts";
import { toSbom } from "./sbom/sbom.ts";

export interface Plan {
	readonly version: string;
	/** The maintainer's checkout. */
	readonly checkout: string;
	/** The clone of the checkout in which the release is made. It does not exist yet. */
	readonly clone: string;
	/** An empty folder for the files of the release, until all are complete. */
	readonly files: string;
	/** Where the files end up. */
	readonly out: string;
	readonly targets: readonly string[];
}

export interface Step {
	readonly title: string;
	readonly only?: "release" | "dry run";
	readonly run: (plan: Plan) => unknown;
}

export const steps: readonly Step[] = [
	{ title: "Check the version, CHANGELOG.md and the checkout", run: check },
	{
		title: "Clone the checkout into a temporary folder",
		run: ({ checkout, clone }) => cloneCheckout(checkout, clone),
	},
	{ title: "Set the version, and date the changelog", run: setVersion },
	{
		title: "Commit and tag in the clone",
		run: ({ clone, version }) => commitAndTag(clone, version),
	},
	{
		title: "Install the packages from npm",
		only: "release",
		run: ({ clone }) => execute(["npm", "ci"], clone),
	},
	{
		title: "Use the packages of the checkout",
		only: "dry run",
		run: linkPackages,
	},
	{
		title: "Run the tests, for some minutes",
		only: "release",
		run: ({ clone }) => execute(["npm", "test"], clone),
	},
	{
		title: "Pack the npm package",
		run: ({ clone, files }) =>
			execute(["npm", "pack", "--pack-destination", files], clone),
	},
	{ title: "Build the executables", run: buildExecutables },
	{ title: "Write the SBOM", run: writeSbom },
	{
		title: "Write the checksums",
		run: ({ files }) => writeChecksums(files),
	},
	{
		title: "Copy the files to their folder",
		run: ({ files, out }) => cpSync(files, out, { recursive: true }),
	},
	{
		title: "Take the commit and the tag into the checkout",
		only: "release",
		run: ({ checkout, clone, version }) =>
			takeCommitAndTag(checkout, clone, version),
	},
];

async function check({ checkout, version, out }: Plan): Promise<void> {
	const problems = problemsOf({
		version,
		current: (await readManifest(checkout)).version,
		changelog: await readFile(`${checkout}/CHANGELOG.md`, "utf8"),
		...(await readCheckout(checkout)),
		outFiles: existsSync(out) ? readdirSync(out) : [],
	});
	if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function setVersion({ clone, version }: Plan): Promise<void> {
	await execute(
		[
			...(["npm", "version", version, "--no-git-tag-version"] as const),
			...["--allow-same-version", "--ignore-scripts"],
		],
		clone,
	);
	const path = `${clone}/CHANGELOG.md`;
	const [day = ""] = new Date().toISOString().split("T");
	const changelog = await readFile(path, "utf8");
	await writeFile(path, withRelease(changelog, version, day));
}

/** The executables name the commit, so the work tree must be clean. .gitignore covers the folder of the packages, but not a link. */
function linkPackages({ checkout, clone }: Plan): void {
	appendFileSync(`${clone}/.git/info/exclude`, "node_modules\n");
	symlinkSync(`${checkout}/node_modules`, `${clone}/node_modules`);
}

function buildExecutables({ clone, files, targets }: Plan): Promise<string> {
	return execute(
		[
			...(["npm", "run", "build:executable", "--", "--out", files] as const),
			...targets.flatMap((target) => ["--target", target]),
		],
		clone,
	);
}

async function writeSbom({ clone, files }: Plan): Promise<void> {
	const manifest = await readManifest(clone);
	const { name, version } = manifest;
	const lock = JSON.parse(await readFile(`${clone}/package-lock.json`, "utf8"));
	const time = await timeOfCommit(clone);
	const sbom = toSbom({ ...manifest, time }, lock, process.versions);
	await writeFile(
		`${files}/${name}-${version}.cdx.json`,
		`${JSON.stringify(sbom, null, 2)}\n`,
	);
}

async function readManifest(folder: string): Promise<Manifest> {
	return JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
}

interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly license: string;
}
