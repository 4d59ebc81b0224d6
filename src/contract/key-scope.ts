// The scopes of API keys: what a key may do. The console imports this too, so it must run in browsers.

export const keyScopes = ["read", "read-write", "operator", "metrics"] as const;
export type KeyScope = (typeof keyScopes)[number];

/** For a list, or as a sentence. */
export const scopeMeanings: Readonly<Record<KeyScope, string>> = {
	read: "list and get animals",
	"read-write": "list, get and add animals",
	operator: "everything, also /operator/v1, the console and /metrics",
	metrics: "only /metrics",
};
