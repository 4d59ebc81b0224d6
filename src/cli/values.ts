// The values of flags. Each function reads a text, or refuses it with a sentence that says what it must be.
import { availableParallelism } from "node:os";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { readTime } from "../domain/time.ts";
import { type Rate, toRate } from "../http/rate-limit.ts";
import { canSharePort } from "../http/server/address.ts";
import { defaultMemoryBytes } from "../store/open.ts";

/** SQLite maps two gigabytes of a file at most. */
const maxMemoryBytes = 2_000_000_000;

export function wholeNumber(
	min: number,
	max: number,
	rule = `a whole number from ${min} to ${max}`,
): (text: string) => number {
	return (text) => {
		const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
		return number >= min && number <= max ? number : refuse(rule);
	};
}

export function refuse(rule: string): never {
	throw new InvalidArgumentError(`It must be ${rule}.`);
}

export const toPort = wholeNumber(0, 65_535);

export function toWorkers(text: string): number {
	return text === "auto"
		? countWorkers()
		: wholeNumber(1, 999, "a whole number from 1 to 999, or auto")(text);
}

/** One for each core, where processes can share a port. */
export function countWorkers(platform: string = process.platform): number {
	return canSharePort(platform) ? availableParallelism() : 1;
}

export function toHost(text: string): string {
	return /^[\w.:%-]+$/.test(text)
		? text
		: refuse("a host name or an IP address");
}

export interface HostAndPort {
	readonly host: string;
	readonly port: number;
}

/** `127.0.0.1:9090`, or `[::1]:9090`. */
export function toHostAndPort(text: string): HostAndPort {
	const [, plain, bracketed, port = ""] =
		/^(?:([\w.%-]+)|\[([\w:.%]+)\]):(\d{1,5})$/.exec(text) ?? [];
	const host = plain ?? bracketed;
	return host !== undefined && Number(port) <= 65_535
		? { host, port: Number(port) }
		: refuse("a host and a port, like 127.0.0.1:9090 or [::1]:9090");
}

/** Without the version prefix and the final slash, which are added where they belong. */
export function toBaseUrl(text: string): string {
	const url = URL.parse(text);
	return url !== null &&
		/^https?:$/.test(url.protocol) &&
		url.search + url.hash + url.username + url.password === ""
		? url.href.replace(/(\/v1)?\/?$/, "")
		: refuse("an http or https address without query, fragment and password");
}

/** `30s`, `5m`, `12h` or `90d` in milliseconds; undefined if the text is no duration. */
export function toDuration(text: string): number | undefined {
	const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
	return count === undefined || unit === undefined
		? undefined
		: Number(count) * (unitMs[unit] ?? 0);
}

const unitMs: Readonly<Record<string, number>> = {
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

/** The time after a duration like `90d`, or that of a date; undefined if the text is neither. */
export function toExpiry(text: string, now: number): number | undefined {
	const duration = toDuration(text);
	return duration === undefined ? readDate(text) : now + duration;
}

/** 00:00 UTC of a date like `2027-01-31`; undefined if the text is none. */
export function readDate(text: string): number | undefined {
	return /^\d{4}-\d\d-\d\d$/.test(text)
		? readTime(`${text}T00:00:00Z`)
		: undefined;
}

export function toWait(text: string): number {
	return toDuration(text) ?? refuse("a duration like 30s, 5m or 1h");
}

export function toSeconds(text: string): number {
	return /^\d{1,4}(\.\d{1,3})?$/.test(text)
		? Number(text)
		: refuse("a number of seconds below 10000");
}

export function toRateLimit(text: string): Rate {
	return (
		toRate(text) ??
		refuse("a whole number from 1 to 999999 and a unit: 100/s, 600/m or 5000/h")
	);
}

/** Text like 400MB or 2GB in bytes. */
export function toMemoryBytes(text: string): number {
	const [, digits, unit = ""] = /^(\d{1,6})(MB|GB)$/i.exec(text) ?? [];
	const bytes = Number(digits) * (unit.toUpperCase() === "GB" ? 1e9 : 1e6);
	return bytes >= defaultMemoryBytes && bytes <= maxMemoryBytes
		? bytes
		: refuse(
				`a size from ${defaultMemoryBytes / 1e6}MB to ${maxMemoryBytes / 1e9}GB, like 400MB or 2GB`,
			);
}
