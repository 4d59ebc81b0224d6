// The traffic: requests, errors, durations and callers.
import type { UsageRow } from "../api/usage.ts";
import type { PeriodName } from "../charts/periods.ts";
import { Choice } from "../parts/fields.tsx";
import { Failed, usePolled, Waiting } from "../parts/poll.tsx";
import { Headline, periodNames } from "./figures.tsx";
import type { Callers, Figures, TrafficState } from "./state.ts";
import {
	Deprecated,
	type Deprecation,
	KeyTable,
	OperationTable,
	StatusTable,
} from "./tables.tsx";

export const trafficRefreshMs = 5_000;
/** The names of keys and the callers of 30 days change slowly. */
const callersRefreshMs = 60_000;

interface TrafficProps {
	readonly state: TrafficState;
	readonly deprecation: Deprecation;
	readonly operations: readonly string[];
}

export function TrafficView(props: TrafficProps) {
	const { period, includesOperator, readFigures, readCallers } = props.state;
	const figures = usePolled(trafficRefreshMs, readFigures, [period.value]);
	const callers = usePolled(callersRefreshMs, readCallers);
	const failure = figures.failure.value ?? callers.failure.value;
	// The page shows the figures of the previous period, which name it, until the new ones come or fail.
	const isOther = figures.found.value?.period !== period.value;
	const shown = isOther && failure ? undefined : figures.found.value;
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Traffic</h1>
				<label class="check">
					<input
						type="checkbox"
						checked={includesOperator.value}
						onChange={({ currentTarget }) => {
							includesOperator.value = currentTarget.checked;
						}}
					/>
					include the operator interface
				</label>
				<Choice
					label="Period"
					values={periodChoices}
					chosen={period.value}
					onChoose={(chosen) => {
						period.value = chosen;
					}}
				/>
			</div>
			<Failed message={failure} />
			{shown && <Current {...props} {...shown} callers={callers.found.value} />}
			<Waiting for={shown ?? failure} />
		</>
	);
}

const periodChoices = [
	{ value: "hour", text: "Last hour" },
	{ value: "day", text: "Last day" },
	{ value: "month", text: "Last 30 days" },
] as const;

function Current(
	props: TrafficProps & Figures & { callers: Callers | undefined },
) {
	const { state, callers, operations } = props;
	const isCounted = ({ operation }: UsageRow) =>
		state.includesOperator.value || operations.includes(operation);
	const byOperation = props.byOperation
		.filter(isCounted)
		.toSorted((a, b) => b.requests - a.requests);
	const names = byOperation.map(({ operation }) => operation);
	const chosen = names.includes(state.operation.value)
		? state.operation.value
		: (names[0] ?? operations[0] ?? "");
	const byStatus = props.byStatus.filter(isCounted);
	return (
		<>
			{byOperation.length === 0 ? (
				<Empty period={props.period} />
			) : (
				<>
					<Headline
						period={props.period}
						now={props.now}
						byTime={props.byTime}
						byStatus={byStatus}
						byOperation={byOperation}
						operation={chosen}
					/>
					<OperationTable
						rows={byOperation}
						byStatus={byStatus}
						chosen={chosen}
						state={state}
					/>
					<StatusTable rows={byStatus} />
					<KeyTable
						rows={props.byKey.filter(isCounted)}
						keys={callers?.keys ?? []}
					/>
				</>
			)}
			{callers && <Deprecated {...props.deprecation} callers={callers} />}
		</>
	);
}

function Empty({ period }: { period: PeriodName }) {
	return (
		<div class="empty">
			<h2>No requests {periodNames[period].name}</h2>
			<p>
				When programs call the service, you see here how many requests come and
				how long they take, the status codes of the replies, and which keys
				call.
			</p>
		</div>
	);
}
