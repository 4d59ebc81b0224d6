// What an API key may do, and what its name may be. The console imports this too, so it must run in browsers.

export const keyScopes = ["read", "read-write", "operator", "metrics"] as const;
export type KeyScope = (typeof keyScopes)[number];

export const scopeMeanings: Readonly<Record<KeyScope, string>> = {
	read: "list and get animals, read the feed",
	"read-write": "list, get and add animals, read the feed",
	operator: "everything, including /operator/v1, the console and /metrics",
	metrics: "only /metrics",
};

/** What each scope includes. */
export const includedScopes: Readonly<Record<KeyScope, readonly KeyScope[]>> = {
	read: ["read"],
	"read-write": ["read", "read-write"],
	operator: keyScopes,
	metrics: ["metrics"],
};

/** Unassigned characters are taken: a later version of Unicode may have them. */
export function isKeyName(text: string): boolean {
	return /^[^\p{Cc}\p{Cf}\p{Cs}]{1,100}$/u.test(text) && /\S/.test(text);
}

export const keyNameRule =
	"must be 1 to 100 characters, not only spaces, none of them a control or formatting character";
