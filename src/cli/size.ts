// A number of bytes as people read it.

/** In the largest unit in which it is at least 1. */
export function toSizeText(bytes: number): string {
	const power = Math.min(
		Math.floor(Math.log2(Math.max(bytes, 1)) / 10),
		units.length - 1,
	);
	const size = bytes / 1024 ** power;
	return power === 0
		? `${bytes} bytes`
		: `${size.toFixed(1)} ${units[power]} (${bytes.toLocaleString("en")} bytes)`;
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
