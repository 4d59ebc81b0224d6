// The setting --memory: how much memory a process may take.
import { InvalidArgumentError } from "commander";
import { defaultMemoryBytes, maxMemoryBytes } from "../limits.ts";

/** Text like 400MB or 2GB in bytes. Throws an InvalidArgumentError. */
export function toMemoryBytes(text: string): number {
	const [, digits, unit = ""] = /^(\d{1,6})(MB|GB)$/i.exec(text) ?? [];
	const bytes = Number(digits) * (unit.toUpperCase() === "GB" ? 1e9 : 1e6);
	if (bytes >= defaultMemoryBytes && bytes <= maxMemoryBytes) return bytes;
	throw new InvalidArgumentError(
		`It must be a size from ${defaultMemoryBytes / 1e6}MB to ${maxMemoryBytes / 1e9}GB, like 400MB or 2GB.`,
	);
}
