// The ETag of an animal, and the conditions that name versions. An ETag is made of the epoch of the database, which changes when its content
// is replaced, and of the version of the animal. Clients must not look into it.
import type { Failure } from "../domain/errors.ts";
import { invalid } from "./parameter.ts";

export function toPetTag(epoch: string, version: bigint): string {
	return `"${epoch}-${version}"`;
}

/** Which versions an animal must have one of, as the engines compare it: texts with commas around them. Undefined: any version. */
export type VersionCondition = string | undefined;

/** What an `If-Match` asks for (RFC 9110). Throws if it has another form. Weak tags, and those of others, never match. */
export function toCondition(ifMatch: string): VersionCondition {
	if (!ifMatchForm.test(ifMatch)) throw malformedIfMatch();
	if (ifMatch === "*") return undefined;
	const tags = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
	const own = tags.filter((tag) => /^"[0-9]+-[0-9]+"$/.test(tag));
	return `,${own.map((tag) => tag.slice(1, -1)).join(",")},`;
}

/** One or more tags, with commas and spaces before, between and after them; or `*`. */
export const ifMatchForm = /^(\*|[ \t,]*((W\/)?"[^"]*"[ \t,]*)+)$/;

export function malformedIfMatch(): Failure {
	return invalid(
		"If-Match",
		'must be *, or ETags in double quotes, separated by commas: "abc"',
	);
}

export function toVersionCondition(version: bigint): VersionCondition {
	return `,${version},`;
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
