// The series of a chart, their scale and their shapes, in a picture that is one unit wide for each value and 100 units high.
import { Fragment } from "preact";

export interface Series {
	readonly name: string;
	readonly colour: "main" | "second" | "bad";
	readonly values: readonly (number | undefined)[];
}

interface ShapesProps {
	readonly series: readonly Series[];
	/** The value at the upper edge. */
	readonly top: number;
}

export function Bars({ series, top }: ShapesProps) {
	return (
		<>
			{series.map(({ name, colour, values }) => (
				<path
					key={name}
					class="bars"
					data-colour={colour}
					d={values
						.map((value = 0, index) => toBar(index, (100 * value) / top))
						.join("")}
				/>
			))}
		</>
	);
}

function toBar(index: number, height: number): string {
	return height === 0
		? ""
		: `M${index + 0.12} 100v${-round(height)}h.76v${round(height)}z`;
}

export function Lines({ series, top }: ShapesProps) {
	return (
		<>
			{series.map(({ name, colour, values }) => (
				<Fragment key={name}>
					<path
						class="line"
						data-colour={colour}
						d={values
							.map((value, index) => toPoint(values, index, value, top))
							.join("")}
					/>
					<path
						class="line dots"
						data-colour={colour}
						d={values
							.map((value, index) => toDot(values, index, value, top))
							.join("")}
					/>
				</Fragment>
			))}
		</>
	);
}

/** A line from the point before, if there is one; else a new line. A point alone becomes a dot. */
function toPoint(
	values: Series["values"],
	index: number,
	value: number | undefined,
	top: number,
): string {
	if (value === undefined || isAlone(values, index)) return "";
	const command = values[index - 1] === undefined ? "M" : "L";
	return `${command}${index + 0.5} ${toHeight(value, top)}`;
}

/** A line without a length. Its round ends make it a dot, at every width of the picture. */
function toDot(
	values: Series["values"],
	index: number,
	value: number | undefined,
	top: number,
): string {
	return value !== undefined && isAlone(values, index)
		? `M${index + 0.5} ${toHeight(value, top)}h0`
		: "";
}

function isAlone(values: Series["values"], index: number): boolean {
	return values[index - 1] === undefined && values[index + 1] === undefined;
}

function toHeight(value: number, top: number): number {
	return round(100 - (100 * value) / top);
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}

/** From zero to a round number above the largest value. */
export interface Scale {
	readonly top: number;
	/** From zero to the top, at equal distances. */
	readonly ticks: readonly number[];
}

export function toScale(values: readonly (number | undefined)[]): Scale {
	const largest = Math.max(0, ...values.map((value) => value ?? 0));
	const step = toStep(largest / 3);
	const count = Math.max(1, Math.ceil(largest / step - 1e-9));
	const ticks = Array.from({ length: count + 1 }, (_, index) => index * step);
	return { top: count * step, ticks };
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function toStep(least: number): number {
	if (least <= 0) return 1;
	const power = 10 ** Math.floor(Math.log10(least));
	const factor = [1, 2, 2.5, 5].find((one) => one * power >= least) ?? 10;
	return factor * power;
}
