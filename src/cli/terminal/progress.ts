// The progress of a long command: a bar on a terminal, elsewhere lines.

/** An import or export that is no terminal's tells its progress this often. */
const progressMs = 5_000;

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
			stderr.write(`\r${toBar(percent / 100)}${percent}% ${count} animals`);
			if (percent === 100) stderr.write("\n");
			shown = percent;
		} else if (percent >= shown + 10 || percent === 100) {
			stderr.write(`${percent}% ${count} animals\n`);
			shown = percent;
		}
	};
}

export type TimedProgress = ReturnType<typeof createTimedProgress>;

/** Also tells the rate and the time left: often on a terminal, elsewhere a line every few seconds. */
export function createTimedProgress(isQuiet = false) {
	const { stderr } = process;
	const isBar = stderr.isTTY === true;
	const intervalMs = isBar ? barMs : progressMs;
	const startedAt = performance.now();
	let shownAt = startedAt;
	let isShown = false;
	return {
		/** `part` is what is done of the whole, from 0 to 1; undefined if the whole is not known. */
		show(count: number, part: number | undefined) {
			const now = performance.now();
			if (isQuiet || now - shownAt < intervalMs) return;
			shownAt = now;
			isShown = true;
			const text = toText(count, part, (now - startedAt) / 1000);
			stderr.write(isBar ? `\r${toBar(part)}${text}\u001b[K` : `${text}\n`);
		},
		/** Ends the line of the bar. */
		end() {
			if (isBar && isShown) stderr.write("\r\u001b[K");
			isShown = false;
		},
	};
}

/** For a command that waits until it can write: says why, at first and then every few seconds. */
export function sayWaiting(): (reason: string) => void {
	let saidAt = Number.NEGATIVE_INFINITY;
	return (reason) => {
		if (performance.now() - saidAt < progressMs) return;
		saidAt = performance.now();
		process.stderr.write(`Waiting: ${reason}.\n`);
	};
}

/** More often than this, nobody can read it. */
const barMs = 100;

function toBar(part: number | undefined): string {
	return part === undefined
		? ""
		: `[${"#".repeat(part * 25).padEnd(25, ".")}] `;
}

function toText(
	count: number,
	part: number | undefined,
	seconds: number,
): string {
	const rate = `${count} animals, ${Math.round(count / seconds)}/s`;
	if (part === undefined || part === 0) return rate;
	const left = Math.ceil((seconds * (1 - part)) / part);
	return `${Math.floor(part * 100)}% ${rate}, ${left} s left`;
}
