// The traffic: how many requests, how many errors, how fast, by whom.
import type { UsageRow } from "../api/usage.ts";
import { Choice } from "../parts/fields.tsx";
import { Failed, usePolling, Waiting } from "../parts/poll.tsx";
import { Deprecated, type Deprecation } from "./deprecated.tsx";
import { Figures } from "./figures.tsx";
import { type Traffic, type TrafficState, trafficRefreshMs } from "./state.ts";
import { KeyTable, OperationTable } from "./tables.tsx";

export interface TrafficProps {
	readonly state: TrafficState;
	readonly deprecation: Deprecation;
	/** The operations of the catalogue's own interface. */
	readonly operations: readonly string[];
}

export function TrafficView(props: TrafficProps) {
	const { state } = props;
	usePolling(trafficRefreshMs, state.load, [state, state.period.value]);
	const { failure } = state;
	const traffic = toCurrent(state);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Traffic</h1>
				<label class="check">
					<input
						type="checkbox"
						checked={state.includesOperator.value}
						onChange={({ currentTarget }) => {
							state.includesOperator.value = currentTarget.checked;
						}}
					/>
					with the operator interface
				</label>
				<Choice
					label="Period"
					values={periodChoices}
					chosen={state.period.value}
					onChoose={(period) => {
						state.period.value = period;
					}}
				/>
			</div>
			<Failed message={failure.value} />
			{traffic !== undefined && <Current {...props} traffic={traffic} />}
			<Waiting for={traffic ?? failure.value} />
		</>
	);
}

/** Figures of another period, which name it, are shown only until those of the chosen one are there or have failed. */
function toCurrent({ traffic, period, failure }: TrafficState) {
	const isOther = traffic.value?.period !== period.value;
	return isOther && failure.value !== undefined ? undefined : traffic.value;
}

const periodChoices = [
	{ value: "hour", text: "Last hour" },
	{ value: "day", text: "Last day" },
	{ value: "month", text: "Last 30 days" },
] as const;

function Current({
	state,
	traffic,
	deprecation,
	operations,
}: TrafficProps & { traffic: Traffic }) {
	const isCounted = ({ operation }: UsageRow) =>
		state.includesOperator.value || operations.includes(operation);
	const byOperation = traffic.byOperation
		.filter(isCounted)
		.toSorted((a, b) => b.requests - a.requests);
	const names = byOperation.map(({ operation }) => operation);
	const chosen = names.includes(state.operation.value)
		? state.operation.value
		: (names[0] ?? operations[0] ?? "");
	return (
		<>
			<Figures
				traffic={traffic}
				byTime={traffic.byTime.filter(isCounted)}
				byOperation={byOperation}
				operation={chosen}
			/>
			<OperationTable rows={byOperation} chosen={chosen} state={state} />
			<KeyTable rows={traffic.byKey.filter(isCounted)} keys={traffic.keys} />
			<Deprecated deprecation={deprecation} traffic={traffic} />
		</>
	);
}
