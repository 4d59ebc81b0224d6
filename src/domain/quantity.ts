// Numbers in sentences: counts, and sizes in bytes.

/** With a comma after each thousand. Not with `toLocaleString`, since loading its data delays a start. */
export function toCountText(count: number | bigint): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Like "1 animal" and "1,200 animals". */
export function toQuantity(count: number | bigint, noun: string): string {
	return `${toCountText(count)} ${noun}${Number(count) === 1 ? "" : "s"}`;
}

/** A number of bytes in the largest unit in which it is at least 1: "64 KiB" or "1.5 MiB". */
export function toSizeText(size: number | bigint): string {
	const bytes = Number(size);
	const power = Math.min(
		Math.floor(Math.log2(Math.max(bytes, 1)) / 10),
		units.length - 1,
	);
	return power === 0
		? toQuantity(bytes, "byte")
		: `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
