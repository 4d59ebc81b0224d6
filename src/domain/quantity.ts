// Numbers in sentences: counts, and limits in bytes.

/** With a comma after each thousand. Not with `toLocaleString`, since loading its data delays a start. */
export function toCountText(count: number | bigint): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Like "1 animal" and "1,200 animals". */
export function toQuantity(count: number, noun: string): string {
	return `${toCountText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Of a limit: like "64 KiB" and "1 MiB". */
export function toLimitText(bytes: number): string {
	if (bytes % 1024 > 0) return toQuantity(bytes, "byte");
	const kib = bytes / 1024;
	return kib % 1024 > 0 ? `${kib} KiB` : `${kib / 1024} MiB`;
}

/** A number of bytes in the largest unit in which it is at least 1. */
export function toSizeText(bytes: number): string {
	const power = Math.min(
		Math.floor(Math.log2(Math.max(bytes, 1)) / 10),
		units.length - 1,
	);
	const size = bytes / 1024 ** power;
	return power === 0
		? toQuantity(bytes, "byte")
		: `${size.toFixed(1)} ${units[power]} (${toCountText(bytes)} bytes)`;
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
