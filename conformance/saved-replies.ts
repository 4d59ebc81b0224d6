// The replies that steps of a case have saved, and their placeholders in later steps.
import { randomUUID } from "node:crypto";
import type { CaseReply } from "./check.ts";

export interface SavedReplies {
	readonly save: (name: string, reply: CaseReply) => void;
	/** Replaces the placeholders `{name.part}` and `{unique}`. */
	readonly fill: (text: string) => string;
	/** The body of a saved reply. */
	readonly text: (name: string) => string;
}

export function createSavedReplies(): SavedReplies {
	const unique = randomUUID();
	const replies = new Map<string, Record<string, string>>();
	return {
		save(name, reply) {
			replies.set(name, toParts(reply));
		},
		fill: (text) =>
			text
				.replaceAll("{unique}", unique)
				.replace(
					/\{(\w+)\.(\w+)\}/g,
					(_, name, part) => replies.get(name)?.[part] ?? "none",
				),
		text: (name) => replies.get(name)?.text ?? "",
	};
}

function toParts({ headers, bytes }: CaseReply): Record<string, string> {
	const text = new TextDecoder().decode(bytes);
	const link = headers.get("Link") ?? "";
	return {
		text,
		id: /"id"\s*:\s*(-?\d+)/.exec(text)?.[1] ?? "none",
		etag: headers.get("ETag") ?? "none",
		location: headers.get("Location") ?? "none",
		next: /<([^>]*)>; rel="next"/.exec(link)?.[1] ?? "none",
	};
}
