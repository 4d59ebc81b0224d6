// The progress of a long command: a bar on a terminal, elsewhere a line for each tenth.

/** Returns the function to call with the last id that is done, or undefined at the end, and the count so far. */
export function createProgress(
	lastId: bigint,
): (id: bigint | undefined, count: number) => void {
	const { stderr } = process;
	let shown = -1;
	return (id = lastId, count) => {
		if (shown === 100) return;
		const percent = lastId === 0n ? 100 : Number((id * 100n) / lastId);
		if (stderr.isTTY) {
			const bar = "#".repeat(percent / 4).padEnd(25, ".");
			stderr.write(`\r[${bar}] ${percent}% ${count} animals`);
			if (percent === 100) stderr.write("\n");
			shown = percent;
		} else if (percent >= shown + 10 || percent === 100) {
			stderr.write(`${percent}% ${count} animals\n`);
			shown = percent;
		}
	};
}
