// Says that something is being loaded, or why it could not be. Screen readers say the latter at once.

export function Failed({ message }: { message: string | undefined }) {
	if (message === undefined) return null;
	return (
		<p class="failed" role="alert">
			{message}
		</p>
	);
}

/** Shown until there is a value or a failure. */
export function Waiting({ for: awaited }: { for: unknown }) {
	return awaited === undefined ? <p class="waiting">Loading …</p> : null;
}
