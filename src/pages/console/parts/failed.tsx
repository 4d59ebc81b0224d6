// Says why something could not be loaded. Screen readers say it at once.

export function Failed({ message }: { message: string | undefined }) {
	if (message === undefined) return null;
	return (
		<p class="failed" role="alert">
			{message}
		</p>
	);
}
