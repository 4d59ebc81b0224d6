// Why nobody is signed in, for the page that is loaded after signing out. The entry of the history keeps it, so that nothing is stored.

export function leaveReason(reason: string): void {
	history.replaceState({ reason }, "");
}

/** Returns it once. */
export function takeReason(): string | undefined {
	const state: unknown = history.state;
	if (typeof state !== "object" || state === null || !("reason" in state))
		return undefined;
	history.replaceState(null, "");
	return typeof state.reason === "string" ? state.reason : undefined;
}
