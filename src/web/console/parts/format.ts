// Numbers, times and names as the console shows them. Ids need no format: the console shows their digits.
import { toQuantity } from "../../../domain/quantity.ts";

type Format = (value: number) => string;

export const formatCount: Format = new Intl.NumberFormat("en").format;
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const coarse = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const oneDigit = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** With three significant digits. */
export function formatShort(value: number): string {
	return value >= 1000 ? formatCount(Math.round(value)) : short.format(value);
}

export function formatMs(ms: number | undefined): string {
	if (ms === undefined) return "–";
	return ms >= 1000
		? `${coarse.format(ms / 1000)} s`
		: `${coarse.format(ms)} ms`;
}

export function formatPercent(part: number, whole: number): string {
	return whole === 0 ? "–" : `${oneDigit.format((100 * part) / whole)} %`;
}

export function formatBytes(bytes: number): string {
	if (bytes < 1024) return toQuantity(bytes, "byte");
	const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
	return `${oneDigit.format(bytes / 1024 ** power)} ${units[power]}`;
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

export const formatTime: Format = new Intl.DateTimeFormat("en-GB", {
	dateStyle: "medium",
	timeStyle: "short",
}).format;

export const formatTimeOfDay: Format = new Intl.DateTimeFormat("en-GB", {
	timeStyle: "short",
}).format;

export const formatDate: Format = new Intl.DateTimeFormat("en-GB", {
	dateStyle: "medium",
}).format;

/** In the largest unit: `3 hours ago`, `in 2 days`. */
export function formatRelative(time: number, now = Date.now()): string {
	const seconds = (time - now) / 1000;
	const step = steps.find(([, length]) => Math.abs(seconds) >= length);
	if (step === undefined) return seconds > 0 ? "in a moment" : "just now";
	const [unit, length] = step;
	return relative.format(Math.trunc(seconds / length), unit);
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const steps = [
	["year", 365 * 24 * 60 * 60],
	["month", 30 * 24 * 60 * 60],
	["day", 24 * 60 * 60],
	["hour", 60 * 60],
	["minute", 60],
] as const;

interface Named {
	readonly id: bigint | number;
	readonly name: string;
}

export function toTitle({ id, name }: Named): string {
	return isVisible(name) ? `“${isolate(shorten(name))}”` : `animal ${id}`;
}

/** A message must not cover the page. */
function shorten(name: string): string {
	return name.replace(/^(.{59}).{2,}$/su, "$1…");
}

/** The name of one animal, or the number of several. */
export function toTitles(pets: readonly Named[]): string {
	const [pet] = pets;
	return pet !== undefined && pets.length === 1
		? toTitle(pet)
		: toQuantity(pets.length, "animal");
}

/** For a label, which screen readers say. It has the text that is seen, and the id, since other animals may have the same name. */
export function toPetLabel({ id, name }: Named): string {
	return `${isVisible(name) ? name : "no name"}, animal ${id}`;
}

export function toKeyLabel({ id, name }: Named): string {
	return `${name}, key ${id}`;
}

/** Whether any character is visible. A name can be any text, even empty. */
export function isVisible(name: string): boolean {
	return /[^\s\p{C}\p{DI}\u2800]/u.test(name);
}

/** For a sentence: isolates the direction of the name, so that it does not reverse the words around it. */
export function isolate(name: string): string {
	return `\u2068${toShown(name)}\u2069`;
}

/** Removes direction characters, which could reverse the name or end its isolation. */
export function toShown(name: string): string {
	return name.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
}

export function capitalise(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
