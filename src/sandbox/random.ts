// Pseudo-random numbers from a seed. Uses only integer operations, which give the same result on every platform.

/** Maps 32-bit numbers one to one: adds an odd constant, then mixes the bits like the last step of MurmurHash3. */
export function mix(number: number): number {
	let bits = (number + 0x9e3779b9) >>> 0;
	bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return (bits ^ (bits >>> 16)) >>> 0;
}

/** 32 bits for a seed of up to 53 bits and another number. */
export function toRandom(seed: number, other: number): number {
	const low = seed % 2 ** 32;
	const high = Math.floor(seed / 2 ** 32);
	return mix(mix(mix(low) + high) + other);
}
