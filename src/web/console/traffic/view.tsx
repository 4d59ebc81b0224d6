// The traffic: requests, errors, durations and callers.
import type { UsageRow } from "../api/usage.ts";
import { periods } from "../charts/periods.ts";
import { Check, Choice } from "../parts/fields.tsx";
import { Failed, usePolled, Waiting } from "../parts/poll.tsx";
import type { ConsoleParts } from "../state.ts";
import { Headline } from "./figures.tsx";
import type { Callers, Figures } from "./state.ts";
import {
	Deprecated,
	KeyTable,
	OperationTable,
	StatusTable,
} from "./tables.tsx";

export const trafficRefreshMs = 5_000;
/** The names of keys and the callers of 30 days change slowly. */
const callersRefreshMs = 60_000;

export function TrafficView(props: ConsoleParts) {
	const { chosen, includesOperator, readFigures, readCallers } = props.traffic;
	const figures = usePolled(trafficRefreshMs, readFigures, [chosen.value]);
	const callers = usePolled(callersRefreshMs, readCallers);
	const failure = figures.failure.value ?? callers.failure.value;
	// Shows the previous period, with its name, until new figures come or fail.
	const isOther = figures.found.value?.period !== periods[chosen.value];
	const shown = isOther && failure ? undefined : figures.found.value;
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Traffic</h1>
				<Check
					label="include the operator interface"
					value={includesOperator}
				/>
				<Choice
					label="Period"
					values={periodChoices}
					chosen={chosen.value}
					onChoose={(period) => {
						chosen.value = period;
					}}
				/>
			</div>
			<Failed message={failure} />
			{shown && (
				<Shown {...props} figures={shown} callers={callers.found.value} />
			)}
			<Waiting for={shown ?? failure} />
		</>
	);
}

const periodChoices = (["hour", "day", "month"] as const).map((value) => ({
	value,
	text: periods[value].title,
}));

interface ShownProps extends ConsoleParts {
	readonly figures: Figures;
	readonly callers: Callers | undefined;
}

function Shown(props: ShownProps) {
	const { traffic, operations, figures, callers } = props;
	const isCounted = ({ operation }: UsageRow) =>
		traffic.includesOperator.value || operations.includes(operation);
	const byOperation = figures.byOperation
		.filter(isCounted)
		.toSorted((one, other) => other.requests - one.requests);
	const byStatus = figures.byStatus.filter(isCounted);
	const counted = { ...figures, byOperation, byStatus };
	const chosen = byOperation.find(
		({ operation }) => operation === traffic.operation.value,
	);
	const { operation } = chosen ?? byOperation[0] ?? {};
	return (
		<>
			{operation === undefined ? (
				<div class="empty">
					<h2>No requests in the {figures.period.title.toLowerCase()}</h2>
					<p>
						When programs call the service, you see here the requests, their
						durations, the status codes of the replies, and the keys.
					</p>
				</div>
			) : (
				<>
					<Headline {...counted} operation={operation} />
					<OperationTable
						{...counted}
						operation={operation}
						chosen={traffic.operation}
					/>
					<StatusTable rows={byStatus} />
					<KeyTable
						rows={figures.byKey.filter(isCounted)}
						keys={callers?.keys ?? []}
					/>
				</>
			)}
			{callers && <Deprecated {...props.deprecation} callers={callers} />}
		</>
	);
}
