// The calls of a key by day, as small bars with their figures behind them.
import { Figures } from "../charts/figures.tsx";
import { formatStart, type Period, sum, toStarts } from "../charts/periods.ts";
import { toScale } from "../charts/scale.ts";
import { Bars } from "../charts/shapes.tsx";
import { formatCount } from "../parts/format.ts";

export const callDays: Period = {
	unit: "day",
	parts: 14,
	partMs: 86_400_000,
	partName: "Day (UTC)",
};

export function Calls({
	name,
	calls,
}: {
	name: string;
	/** By the start of the day. */
	calls: ReadonlyMap<number, number>;
}) {
	const starts = toStarts(callDays, Date.now());
	const values = starts.map((start) => calls.get(start) ?? 0);
	if (sum(values) === 0)
		return <span class="soft">no calls in {callDays.parts} days</span>;
	const total = `${formatCount(sum(values))} calls in ${callDays.parts} days`;
	const series = [{ name: "Calls", colour: "main", values }] as const;
	return (
		<div class="calls">
			<svg
				viewBox={`0 0 ${starts.length} 100`}
				preserveAspectRatio="none"
				role="img"
				aria-label={`${name}: ${total}`}
			>
				<Bars series={series} top={toScale(values).top} />
			</svg>
			<Figures
				title={`Calls of ${name} by day`}
				summary={total}
				labels={starts.map((start) => formatStart(start, callDays))}
				labelName={callDays.partName}
				series={series}
				format={(value = 0) => formatCount(value)}
			/>
		</div>
	);
}
