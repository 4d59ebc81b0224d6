// The calls of a key by day, as small bars with their figures behind them.
import { Figures } from "../charts/figures.tsx";
import { formatStart, type Period, sum, toStarts } from "../charts/periods.ts";
import { Bars } from "../charts/shapes.tsx";
import { formatCount } from "../parts/format.ts";

export const callDays: Period = {
	unit: "day",
	parts: 14,
	partMs: 86_400_000,
	partName: "Day (UTC)",
};

export function Calls({
	label,
	calls,
	top,
}: {
	label: string;
	/** By the start of the day. */
	calls: ReadonlyMap<number, number>;
	/** The value at the upper edge. It is the same for all keys, so that their charts can be compared. */
	top: number;
}) {
	const starts = toStarts(callDays, Date.now());
	const values = starts.map((start) => calls.get(start) ?? 0);
	if (sum(values) === 0)
		return <span class="soft">no calls in {callDays.parts} days</span>;
	const count = sum(values);
	const total = `${formatCount(count)} ${count === 1 ? "call" : "calls"} in ${callDays.parts} days`;
	const series = [{ name: "Calls", colour: "main", values }] as const;
	return (
		<div class="calls">
			<svg
				viewBox={`0 0 ${starts.length} 100`}
				preserveAspectRatio="none"
				role="img"
				aria-label={`${label}: ${total}`}
			>
				<Bars series={series} top={top} />
			</svg>
			<div class="ticks" aria-hidden="true">
				<span>{formatCount(top)}</span>
				<span>0</span>
			</div>
			<Figures
				title={`Calls of ${label} by day`}
				summary={total}
				labels={starts.map((start) => formatStart(start, callDays))}
				labelName={callDays.partName}
				series={series}
				format={(value = 0) => formatCount(value)}
			/>
		</div>
	);
}
