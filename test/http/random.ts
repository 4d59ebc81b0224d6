// Random numbers that depend only on the seed.

/** Returns a whole number from 0 up to but not including `below`. */
export type Random = (below: number) => number;

export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	// Mulberry32.
	return (below) => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
	};
}
