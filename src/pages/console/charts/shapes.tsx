// The shapes of a chart, in a picture that is one unit wide for each value and 100 units high.
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
				<path
					key={name}
					class="line"
					data-colour={colour}
					d={values
						.map((value, index) => toPoint(values, index, value, top))
						.join("")}
				/>
			))}
		</>
	);
}

/** A line from the point before, if there is one; else a new line. A point alone becomes a short line. */
function toPoint(
	values: Series["values"],
	index: number,
	value: number | undefined,
	top: number,
): string {
	if (value === undefined) return "";
	const height = round(100 - (100 * value) / top);
	if (values[index - 1] !== undefined) return `L${index + 0.5} ${height}`;
	return values[index + 1] === undefined
		? `M${index + 0.2} ${height}h.6`
		: `M${index + 0.5} ${height}`;
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}
