// What a strain gets and gives: load and attacks that the service must bear, where nothing is broken.
import { readdirSync, readFileSync } from "node:fs";
import type { Setting } from "./trial.ts";

export interface StrainSetting extends Pick<Setting, "program" | "folder"> {
	/** Rounds, sockets or seconds: the strain says which. */
	readonly size: number;
	/** What part of the peak must be left, of 1. A busy machine gives less. */
	readonly leastShare: number;
}

export interface Bearing {
	/** What was measured, in words. */
	readonly figures: readonly string[];
	/** A sentence for each promise that was not kept. */
	readonly wrong: readonly string[];
}

export interface Strain {
	readonly name: string;
	/** In a few words. */
	readonly strain: string;
	readonly size: {
		readonly unit: "rounds" | "sockets" | "seconds";
		/** For docs/reliability.md, and in `npm test`. */
		readonly record: number;
		readonly test: number;
	};
	/** Why it cannot run on this machine. */
	readonly whyNot?: () => string | undefined;
	readonly run: (setting: StrainSetting) => Promise<Bearing>;
}

/** What a process holds now. */
export function holdings(pid: number): { mebibytes: number; handles: number } {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return {
		mebibytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
		handles: readdirSync(`/proc/${pid}/fd`).length,
	};
}

/** The value that this share of all is not above. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
