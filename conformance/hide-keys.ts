// Hides keys in replies that a report shows: some servers repeat them, and reports are passed on.
import type { CaseReply } from "./check.ts";
import type { Target } from "./request.ts";

/** A shorter key may be a usual word. */
const minLength = 16;

export function hideKeys(
	text: string,
	{ key, readKey = "" }: Pick<Target, "key" | "readKey">,
): string {
	let hidden = text;
	for (const [secret, name] of [
		[key, "$KEY"],
		[readKey, "$READ_KEY"],
	] as const)
		if (secret.length >= minLength) hidden = hidden.replaceAll(secret, name);
	return hidden;
}

export function hideKeysInReply(
	{ status, headers, bytes }: CaseReply,
	target: Pick<Target, "key" | "readKey">,
): CaseReply {
	const text = new TextDecoder().decode(bytes);
	const hidden = hideKeys(text, target);
	return {
		status,
		headers: new Headers(
			[...headers].map(([name, value]) => [name, hideKeys(value, target)]),
		),
		bytes: hidden === text ? bytes : new TextEncoder().encode(hidden),
	};
}
