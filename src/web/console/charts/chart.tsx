// A chart of values over time, as bars or lines, and as a table. Its axes are HTML, so that their text keeps its size at every width.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { formatShort } from "../parts/format.ts";
import { number, Table } from "../parts/table.tsx";
import { type Period, toLabels } from "./periods.ts";
import { type Series, Shapes, stack, toScale } from "./shapes.tsx";

interface FiguresProps {
	readonly title: string;
	/** It ends at `now`. Each series has a value for each of its parts. */
	readonly period: Period;
	readonly now: number;
	readonly series: readonly Series[];
	readonly format: (value: number | undefined) => string;
	readonly summary?: string;
}

interface ChartProps extends FiguresProps {
	/** Bars are stacked. */
	readonly kind: "bars" | "lines";
	/** The legend while the pointer is elsewhere, with a value for each series; the last values if absent. */
	readonly resting?: {
		readonly label: string;
		readonly values: readonly number[];
	};
}

export function Chart(props: ChartProps) {
	const { title, kind, period, now, series, format } = props;
	const labels = toLabels(period, now);
	const pointed = useSignal<number | undefined>(undefined);
	const at = pointed.value ?? labels.length - 1;
	const { label, values } =
		pointed.value === undefined && props.resting
			? props.resting
			: { label: labels[at], values: series.map((one) => one.values[at]) };
	const titleId = useId();
	const drawn = kind === "bars" ? stack(series) : series;
	const { top, ticks } = toScale(drawn.flatMap(({ values }) => values));
	const toLine = (tick: number) =>
		`M0 ${100 - (100 * tick) / top}h${labels.length}`;
	return (
		<figure class="chart" aria-labelledby={titleId}>
			<figcaption>
				<h2 id={titleId}>{title}</h2>
				<ul class="legend">
					{series.map(({ name, colour }, index) => (
						<li key={name} data-colour={colour}>
							{name} <b>{format(values[index])}</b>
						</li>
					))}
					<li class="at">{label}</li>
				</ul>
			</figcaption>
			<div class="plot">
				<div class="ticks" aria-hidden="true">
					{ticks.toReversed().map((tick) => (
						<span key={tick}>{formatShort(tick)}</span>
					))}
				</div>
				<svg
					viewBox={`0 0 ${labels.length} 100`}
					preserveAspectRatio="none"
					role="img"
					aria-label={toSummary(props, labels)}
					onPointerLeave={() => {
						pointed.value = undefined;
					}}
				>
					<path class="grid" d={ticks.map(toLine).join("")} />
					<Shapes kind={kind} series={drawn} top={top} />
					{labels.map((label, at) => (
						<rect
							key={label}
							class={at === pointed.value ? "hit pointed" : "hit"}
							x={at}
							width="1"
							height="100"
							onPointerEnter={() => {
								pointed.value = at;
							}}
						/>
					))}
				</svg>
				<div class="times" aria-hidden="true">
					<span>{labels[0]}</span>
					<span>{labels[Math.floor(labels.length / 2)]}</span>
					<span>{labels.at(-1)}</span>
				</div>
			</div>
			<Figures {...props} />
		</figure>
	);
}

/** The chart in words, for screen readers. */
function toSummary(
	{ title, series: [first], format }: ChartProps,
	labels: readonly string[],
): string {
	const values = (first?.values ?? []).map((value) => value ?? 0);
	const highest = Math.max(0, ...values);
	const at = labels[values.indexOf(highest)] ?? "";
	return `${title}: ${first?.name} at most ${format(highest)}, at ${at}. The table has all figures.`;
}

/** The figures of a chart as a table, newest first. */
export function Figures(props: FiguresProps) {
	const { title, summary = "Figures", period, now, series, format } = props;
	const headings = [period.partName, ...series.map(({ name }) => number(name))];
	const rows = toLabels(period, now).map((label, index) => (
		<tr key={label}>
			<th scope="row">{label}</th>
			{series.map(({ name, values }) => (
				<td key={name} class="number">
					{format(values[index])}
				</td>
			))}
		</tr>
	));
	return (
		<details class="figures">
			<summary>{summary}</summary>
			{/* The keyboard must reach everything that scrolls. */}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above. */}
			<section class="scroll" tabIndex={0} aria-label={`Figures: ${title}`}>
				<Table headings={headings}>{rows.toReversed()}</Table>
			</section>
		</details>
	);
}
