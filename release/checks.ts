// The conditions for a release, as a pure function of the state of the checkout.
import { releasedIn, unreleasedOf } from "./changelog.ts";

export interface Situation {
	/** The version to release. */
	readonly version: string;
	/** The version of package.json. */
	readonly current: string;
	readonly changelog: string;
	/** Empty if no branch is checked out. */
	readonly branch: string;
	/** Files that differ from the last commit, or that git does not know. */
	readonly changedFiles: readonly string[];
	readonly tags: readonly string[];
	/** Files that already exist in the folder for the release. */
	readonly outFiles: readonly string[];
}

/** One sentence for each reason not to release. */
export function problemsOf(situation: Situation): string[] {
	return [
		...versionProblems(situation),
		...changelogProblems(situation),
		...checkoutProblems(situation),
	];
}

export function toTag(version: string): string {
	return `v${version}`;
}

function versionProblems({
	version,
	current,
	changelog,
	tags,
}: Situation): string[] {
	if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version))
		return [`The version "${version}" is not of the form X.Y.Z.`];
	const problems = releasedIn(changelog)
		.filter((released) => Bun.semver.order(version, released) <= 0)
		.map(
			(released) =>
				`The version ${version} is not greater than ${released}, which CHANGELOG.md has as released.`,
		);
	// The version of package.json may still be unreleased.
	if (Bun.semver.order(version, current) < 0)
		problems.push(
			`The version ${version} is less than ${current}, which package.json has.`,
		);
	if (tags.includes(toTag(version)))
		problems.push(`The tag ${toTag(version)} exists.`);
	return problems;
}

function changelogProblems({ changelog }: Situation): string[] {
	const unreleased = unreleasedOf(changelog);
	if (unreleased === undefined)
		return ['CHANGELOG.md has no section "## Unreleased".'];
	if (unreleased === "")
		return ['The section "Unreleased" of CHANGELOG.md is empty.'];
	return [];
}

function checkoutProblems({
	branch,
	changedFiles,
	outFiles,
}: Situation): string[] {
	const problems = [];
	if (branch !== "main")
		problems.push(
			`Releases are made from the branch main, and ${branch === "" ? "no branch" : branch} is checked out.`,
		);
	if (changedFiles.length > 0)
		problems.push(
			`The work tree has changes that are not committed: ${changedFiles.join(", ")}.`,
		);
	if (outFiles.length > 0)
		problems.push(
			`The folder for the release is not empty: it has ${outFiles.join(", ")}.`,
		);
	return problems;
}
