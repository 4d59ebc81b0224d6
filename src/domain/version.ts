// The ETag of an animal, and conditions on its version. An ETag has the animal's version and the database's epoch, which changes when the
// content is replaced. It is opaque to clients.
import { Failure } from "./errors.ts";

export function toPetTag(epoch: string, version: bigint): string {
	return `"${epoch}-${version}"`;
}

/** The versions that an animal may have, between commas, as the engines compare them. Undefined: any version. */
export type VersionCondition = string | undefined;

/** Reads an `If-Match` (RFC 9110). Throws if it is malformed. Drops weak and foreign tags, which never match. */
export function toCondition(ifMatch: string): VersionCondition {
	if (!tagsForm.test(ifMatch))
		throw new Failure(
			"invalid_parameter",
			'If-Match must be *, or ETags in double quotes, separated by commas: "abc".',
		);
	if (ifMatch === "*") return undefined;
	const tags = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
	const own = tags.filter((tag) => /^"[0-9]+-[0-9]+"$/.test(tag));
	return `,${own.map((tag) => tag.slice(1, -1)).join(",")},`;
}

/** `*`, or one or more tags with commas between them. A list may have empty members (RFC 9110). */
export const tagsForm =
	/^(\*|[ \t,]*(W\/)?"[^" \t]*"([ \t]*,[ \t,]*(W\/)?"[^" \t]*")*[ \t,]*)$/;

export function toVersionCondition(version: bigint): VersionCondition {
	return `,${version},`;
}
