// Reads the Link header of a reply, by RFC 8288.
import { check } from "./options.ts";

/** The URL of the `next` link, if there is one. Throws if the header breaks off before it: the list would end without its last pages. */
export function findNext(header: string, url: string): string | undefined {
	let end = 0;
	for (const found of header.matchAll(link)) {
		const [all, target = "", params = ""] = found;
		end = found.index + all.length;
		const { rel = "", anchor = "" } = toParams(params);
		const isOfPage = new URL(anchor, url).href === new URL(url).href;
		if (isOfPage && rel.toLowerCase().split(/\s+/).includes("next"))
			return new URL(target, url).href;
	}
	check("the Link header", /^[\s,]*$/.test(header.slice(end)), "whole");
	return undefined;
}

const param =
	/;\s*(?:([^\s=;,"<]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?\s*/g;

const link = new RegExp(
	`[\\s,]*<([^>]*)>\\s*((?:${param.source})*)(?=,|$)`,
	"gy",
);

/** Of several with one name the first counts. */
function toParams(text: string): Readonly<Record<string, string>> {
	const params = new Map<string, string>();
	for (const [, name = "", quoted, token = ""] of text.matchAll(param)) {
		const value = quoted?.replace(/\\(.)/g, "$1") ?? token;
		const key = name.toLowerCase();
		if (!params.has(key)) params.set(key, value);
	}
	return Object.fromEntries(params);
}
