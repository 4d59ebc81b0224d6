// Numbers, times and names as the pages show them. Ids need no format: the pages show their digits.
import { toQuantity } from "../../domain/quantity.ts";
import { isVisible } from "../../domain/text.ts";

const coarse = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const oneDigit = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** Like “1 animal” and “1,200 animals”. */
export function formatAnimals(animals: number | bigint): string {
	return toQuantity(animals, "animal");
}

export function formatMs(ms: number | bigint | undefined): string {
	if (ms === undefined) return "–";
	const value = Number(ms);
	return value >= 1000
		? `${coarse.format(value / 1000)} s`
		: `${coarse.format(value)} ms`;
}

export function formatPercent(part: number, whole: number): string {
	return whole === 0 ? "–" : `${oneDigit.format((100 * part) / whole)} %`;
}

function toTimeFormat(options: Intl.DateTimeFormatOptions) {
	const { format } = new Intl.DateTimeFormat("en-GB", options);
	return (at: string) => format(Date.parse(at));
}

export const formatTime = toTimeFormat({
	dateStyle: "medium",
	timeStyle: "short",
});
export const formatDate = toTimeFormat({ dateStyle: "medium" });
export const formatTimeOfDay = toTimeFormat({ timeStyle: "short" });

/** How far the clock of the service is ahead of the browser's. */
export const clock = { aheadMs: 0 };

export function toNow(): number {
	return Date.now() + clock.aheadMs;
}

/** In the largest unit: `3 hours ago`, `in 2 days`. */
export function formatRelative(at: string, now = toNow()): string {
	const seconds = (Date.parse(at) - now) / 1000;
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

export function Moment(props: { before?: string; time: string }) {
	const { before = "", time } = props;
	return (
		<time dateTime={time} title={formatTime(time)}>
			{before} {formatRelative(time)}
		</time>
	);
}

interface Named {
	readonly id: bigint;
	readonly name: string;
}

/** For a message, which must not cover the page: at most 60 characters. */
export function toTitle({ id, name }: Named): string {
	const start = name.replace(/^(.{59}).{2,}$/su, "$1…");
	return isVisible(name) ? `“${isolate(start)}”` : `animal ${id}`;
}

/** For a label, which screen readers say. It has the text that is seen, and the id, since other animals may have the same name. */
export function toPetLabel({ id, name }: Named): string {
	return `${isVisible(name) ? name : "no name"}, animal ${id}`;
}

export function PetName({ name }: Pick<Named, "name">) {
	return (
		<bdi>{isVisible(name) ? toShown(name) : <i class="soft">no name</i>}</bdi>
	);
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
