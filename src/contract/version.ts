// The ETag of an animal, and the conditions that name versions. An ETag is made of the epoch of the database, which changes when its content
// is replaced, and of the version of the animal. Clients must not look into it.
import type { IfMatch } from "./if-match.ts";

/** With its quotes. */
export function toPetTag(epoch: string, version: bigint): string {
	return `"${epoch}-${version}"`;
}

/** Which versions an animal must have one of, as the engines compare it: texts with commas around them. Undefined: any version. */
export type VersionCondition = string | undefined;

export function toCondition(ifMatch: IfMatch | undefined): VersionCondition {
	if (ifMatch === undefined || ifMatch === "*") return undefined;
	const tags = ifMatch.map((tag) => tag.slice(1, -1)).filter(isTag);
	return `,${tags.join(",")},`;
}

/** The version of any epoch. */
export function toVersionCondition(version: bigint): VersionCondition {
	return `,${version},`;
}

function isTag(text: string): boolean {
	return /^[0-9]+-[0-9]+$/.test(text);
}

/** Whether an animal fulfils a condition, in SQL. `find` is `(text, part) => SQL` for the place of a text in another, 0 if it is not there. */
export function toVersionTest(
	condition: string,
	epoch: string,
	version: string,
	find: (text: string, part: string) => string,
): string {
	return `(${find(condition, `',' || ${version} || ','`)} > 0
		OR ${find(condition, `',' || ${epoch} || '-' || ${version} || ','`)} > 0)`;
}
