// CHANGELOG.md as a release reads and changes it: a section "Unreleased", then one for each version with its date.

/** The text of the section "Unreleased", or undefined if there is no such section. */
export function unreleasedOf(changelog: string): string | undefined {
	const [, after] = changelog.split(/^## Unreleased\n/m);
	return after?.split(/^## /m)[0]?.trim();
}

/** The versions that have a section. */
export function releasedIn(changelog: string): string[] {
	return [...changelog.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(
		([, version = ""]) => version,
	);
}

/** What was unreleased is now in the section of the version, and "Unreleased" is empty. The day is as in 2026-11-30. */
export function withRelease(
	changelog: string,
	version: string,
	day: string,
): string {
	return changelog.replace(
		/^## Unreleased\n/m,
		`## Unreleased\n\n## ${version} (${day})\n`,
	);
}
