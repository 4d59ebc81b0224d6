// The requests as they come, newest first. A dialog shows what one of them has sent.
import { useSignal } from "@preact/signals";
import { toMessage } from "../console/api/error.ts";
import { Button } from "../console/parts/fields.tsx";
import { formatMs } from "../console/parts/format.ts";
import { Waiting } from "../console/parts/poll.tsx";
import { number, Table } from "../console/parts/table.tsx";
import type { Recorded } from "./control.ts";
import type { Parts } from "./parts.ts";
import { Details, formatClock, Status, toClass } from "./request.tsx";
import { maxShown } from "./state.ts";
import { toFaultText } from "./switches.ts";

export function Requests({ state, control, toasts, example }: Parts) {
	const opened = useSignal<Recorded | undefined>(undefined);
	const isFiltered = useSignal(true);
	const all = state.requests.value;
	const requests = isFiltered.value ? all?.filter(isOfInterest) : all;
	const clear = async () => {
		try {
			await control.removeRequests();
		} catch (error) {
			toasts.fail(`Not cleared. ${toMessage(error)}`);
		}
		state.readNow();
	};
	return (
		<section class="requests" aria-labelledby="requests">
			<div class="section-head">
				<h2 id="requests">Requests</h2>
				<p class="soft" role="status">
					{toCountText(requests?.length ?? 0)}
				</p>
				<label class="check">
					<input
						type="checkbox"
						checked={isFiltered.value}
						onChange={({ currentTarget }) => {
							isFiltered.value = currentTarget.checked;
						}}
					/>
					Only operations and errors
				</label>
				{all !== undefined && all.length > 0 && (
					<Button class="minor" onClick={() => void clear()}>
						Clear
					</Button>
				)}
			</div>
			<Waiting for={requests ?? state.failure.value} />
			{requests?.length === 0 && <Empty example={example} />}
			{requests !== undefined && requests.length > 0 && (
				<Table headings={headings}>
					{requests.toReversed().map((request, index) => (
						<Row
							key={`${request.at} ${request.requestId ?? index}`}
							request={request}
							onOpen={() => {
								opened.value = request;
							}}
						/>
					))}
				</Table>
			)}
			{opened.value !== undefined && (
				<Details
					request={opened.value}
					onClose={() => {
						opened.value = undefined;
					}}
				/>
			)}
		</section>
	);
}

/** Pages, probes and preflight requests are not. A path that is wrong is. */
function isOfInterest({ operation, status }: Recorded): boolean {
	return operation !== null || !["2", "3"].includes(toClass(status));
}

function toCountText(count: number): string {
	if (count === 0) return "";
	return count === maxShown ? `the last ${count}` : String(count);
}

const headings = [
	...["Time", "Request", "Status"],
	number("Duration"),
	...["Fault", "Key"],
];

function Empty({ example }: { example: string }) {
	return (
		<div class="empty">
			<h3>No requests yet</h3>
			<p>Send one, and it is shown here:</p>
			<pre class="code">
				<code>{example}</code>
			</pre>
		</div>
	);
}

function Row({ request, onOpen }: { request: Recorded; onOpen: () => void }) {
	const { method, path, fault, key, at, durationMs } = request;
	return (
		// The keyboard opens it by the button.
		<tr onClick={onOpen}>
			<td class="time">{formatClock(at)}</td>
			<th scope="row">
				<button
					type="button"
					class="link"
					onClick={(event) => {
						event.stopPropagation();
						onOpen();
					}}
				>
					<b>{method}</b> {path}
				</button>
			</th>
			<td>
				<Status request={request} />
			</td>
			<td class="number">{formatMs(durationMs)}</td>
			<td class="fault">
				{fault !== null && <code>{toFaultText(fault)}</code>}
			</td>
			<td class="key">{key ?? <span class="soft">none</span>}</td>
		</tr>
	);
}
