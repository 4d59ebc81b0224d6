// Progress of a long command on stderr: a bar on a terminal, elsewhere a line every few seconds.
import { toCountText, toQuantity } from "../../domain/quantity.ts";

const lineMs = 5_000;
/** Faster changes cannot be read. */
const barMs = 100;

export function createProgress(isQuiet = false) {
	const { stderr } = process;
	const isBar = stderr.isTTY === true;
	const startedAt = performance.now();
	let shownAt = startedAt;
	let isShown = false;
	return {
		/** `part` is the finished share, from 0 to 1; undefined if not known. */
		show(count: number, part: number | undefined) {
			const now = performance.now();
			if (isQuiet || now - shownAt < (isBar ? barMs : lineMs)) return;
			shownAt = now;
			isShown = true;
			const text = toText(count, part, (now - startedAt) / 1000);
			stderr.write(isBar ? `\r${toBar(part)}${text}\u001b[K` : `${text}\n`);
		},
		/** Removes the bar. */
		end() {
			if (isBar && isShown) stderr.write("\r\u001b[K");
			isShown = false;
		},
	};
}

function toBar(part: number | undefined): string {
	return part === undefined
		? ""
		: `[${"#".repeat(part * 25).padEnd(25, ".")}] `;
}

function toText(count: number, part: number | undefined, seconds: number) {
	const rate = `${toQuantity(count, "animal")}, ${toCountText(Math.round(count / seconds))}/s`;
	if (part === undefined || part === 0) return rate;
	const left = Math.ceil((seconds * (1 - part)) / part);
	return `${Math.floor(part * 100)}% ${rate}, ${left} s left`;
}
