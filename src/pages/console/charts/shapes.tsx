// The shapes of a chart, in a picture that is one unit wide for each value and 100 units high.
import { Fragment } from "preact";
import type { Series } from "./series.ts";

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
