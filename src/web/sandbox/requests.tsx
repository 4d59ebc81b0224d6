// The requests as they come, newest first. A dialog shows one of them.
import { useSignal } from "@preact/signals";
import type { RecordedRequest } from "../../testing/recorded-request.ts";
import { Dialog } from "../console/parts/dialog.tsx";
import { Button, Check } from "../console/parts/fields.tsx";
import { formatMs } from "../console/parts/format.ts";
import { Waiting } from "../console/parts/poll.tsx";
import { number, Table } from "../console/parts/table.tsx";
import { maxShown, type WithState } from "./state.ts";
import { toFaultText } from "./switches.ts";

export function Requests({ state }: WithState) {
	const opened = useSignal<RecordedRequest | undefined>(undefined);
	const isFiltered = useSignal(true);
	const all = state.requests.value;
	const requests = isFiltered.value ? all?.filter(isOfInterest) : all;
	return (
		<section class="requests" aria-labelledby="requests">
			<div class="section-head">
				<h2 id="requests">Requests</h2>
				<p class="soft" role="status">
					{toCountText(requests?.length ?? 0)}
				</p>
				<Check label="Only operations and errors" value={isFiltered} />
				{all !== undefined && all.length > 0 && (
					<Button class="minor" onClick={() => void state.clear()}>
						Clear
					</Button>
				)}
			</div>
			<Waiting for={requests ?? state.failure.value} />
			{requests?.length === 0 && <Empty example={state.example} />}
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

/** Hides pages, probes and preflight requests. Shows wrong paths. */
function isOfInterest({ operation, status }: RecordedRequest): boolean {
	return operation !== null || !["2", "3"].includes(toClass(status));
}

function toCountText(count: number): string {
	if (count === 0) return "";
	return count === maxShown ? `the last ${count}` : String(count);
}

const headings = ["Time", "Request", "Status", number("Duration"), "Key"];

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

function Row(props: { request: RecordedRequest; onOpen: () => void }) {
	const { request, onOpen } = props;
	const { method, path, fault, key, at, durationMs } = request;
	return (
		// The row handles the button's clicks. The keyboard needs the button.
		<tr onClick={onOpen}>
			<td class="time">{formatClock(at)}</td>
			<th scope="row">
				<Button class="link">
					<b>{method}</b> {path}
				</Button>
			</th>
			<td>
				<Status request={request} />
				{fault !== null && <code>{toFaultText(fault)}</code>}
			</td>
			<td class="number">{formatMs(durationMs)}</td>
			<td class="key">{key ?? <span class="soft">none</span>}</td>
		</tr>
	);
}

function Status({ request }: { request: RecordedRequest }) {
	const { status, unsentStatus } = request;
	return (
		<span class="badge" data-class={toClass(status)}>
			{status ?? (unsentStatus ? `cut, ${unsentStatus} not sent` : "cut")}
		</span>
	);
}

/** The first digit of a status. */
function toClass(status: RecordedRequest["status"]): string {
	return status === null ? "cut" : String(status).charAt(0);
}

function Details(props: { request: RecordedRequest; onClose: () => void }) {
	const { request, onClose } = props;
	const { method, path, headers, body, fault } = request;
	const facts = {
		Status: <Status request={request} />,
		Duration: formatMs(request.durationMs),
		Arrived: formatClock(request.at),
		Operation: request.operation ?? "none",
		Key: request.key ?? "none",
		Fault: fault === null ? "none" : <code>{toFaultText(fault)}</code>,
		"Request id": request.requestId ?? "none",
	};
	const lines = Object.entries(headers).map(
		([name, value]) => `${name}: ${value}`,
	);
	return (
		<Dialog title={`${method} ${path}`} onClose={onClose}>
			<dl class="facts">
				{Object.entries(facts).map(([name, fact]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{fact}</dd>
					</div>
				))}
			</dl>
			<Sent title="Headers" text={lines.join("\n")} />
			{body === "" ? (
				<p class="soft">It has no body.</p>
			) : (
				<Sent title="Body" text={body} />
			)}
		</Dialog>
	);
}

/** Exactly as it came. */
function Sent({ title, text }: { title: string; text: string }) {
	return (
		<section class="sent">
			<h3>{title}</h3>
			<pre class="code">
				<code>{text}</code>
			</pre>
		</section>
	);
}

/** In the user's time zone. */
function formatClock(at: string): string {
	return clock.format(Date.parse(at));
}

const clock = new Intl.DateTimeFormat("en-GB", {
	hour: "2-digit",
	minute: "2-digit",
	second: "2-digit",
	fractionalSecondDigits: 3,
});
