// CHANGELOG.md as a release reads and changes it: a section "Unreleased", then one for each version with its date.

/** The text of the section "Unreleased", or undefined without that section. */
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

/** Moves the unreleased changes to the section of the version. The day has the form 2026-11-30. */
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
