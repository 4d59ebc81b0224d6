// The series of a chart, their scale and their SVG shapes. A value is one unit wide, the chart 100 units high.

export interface Series {
	readonly name: string;
	readonly colour: "main" | "second" | "client" | "server";
	readonly values: readonly (number | undefined)[];
}

interface ShapesProps {
	readonly kind: "bars" | "lines";
	readonly series: readonly Series[];
	readonly top: number;
}

export function Shapes({ kind, series, top }: ShapesProps) {
	const toPart = kind === "bars" ? toBar : toPoint;
	return (
		<>
			{series.map(({ name, colour, values }) => {
				const heights = values.map((value) => value && (100 * value) / top);
				const path = heights.map(toPart).join("");
				return <path key={name} class={kind} data-colour={colour} d={path} />;
			})}
		</>
	);
}

/** Stacks the series, the last one at the bottom. Each value includes the ones below, which are drawn over it. */
export function stack(series: readonly Series[]): readonly Series[] {
	return series.map((one, index) => ({
		...one,
		values: one.values.map((_, at) =>
			series
				.slice(index)
				.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
		),
	}));
}

function toBar(height: number | undefined, index: number): string {
	return height
		? `M${index + 0.12} 100v${-round(height)}h.76v${round(height)}z`
		: "";
}

/** Continues the line, or starts one after a gap. A single point becomes a dash. */
function toPoint(
	height: number | undefined,
	index: number,
	all: Series["values"],
): string {
	if (height === undefined) return "";
	const point = `${index + 0.5} ${round(100 - height)}`;
	if (all[index - 1] !== undefined) return `L${point}`;
	return all[index + 1] === undefined ? `M${point}m-.4 0h.8` : `M${point}`;
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}

/** From zero to a round number above the largest value, with ticks at equal distances. */
export function toScale(values: Series["values"]) {
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
