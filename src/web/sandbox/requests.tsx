// The requests as they come, newest first. A dialog shows what one of them has sent.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { toMessage } from "../console/api/error.ts";
import { Dialog } from "../console/parts/dialog.tsx";
import { Button } from "../console/parts/fields.tsx";
import { formatMs } from "../console/parts/format.ts";
import { Waiting } from "../console/parts/poll.tsx";
import { number, Table } from "../console/parts/table.tsx";
import type { Recorded } from "./control.ts";
import type { Parts } from "./parts.ts";
import { maxShown } from "./state.ts";
import { toFaultText } from "./switches.ts";

export function Requests({ state, control, toasts, example }: Parts) {
	const opened = useSignal<Recorded | undefined>(undefined);
	const requests = state.requests.value;
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
				{requests !== undefined && requests.length > 0 && (
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

function Status({ request: { status } }: { request: Recorded }) {
	return (
		<span
			class="badge"
			data-class={status === null ? "cut" : String(status).charAt(0)}
		>
			{status ?? "cut"}
		</span>
	);
}

function Details({
	request,
	onClose,
}: {
	request: Recorded;
	onClose: () => void;
}) {
	const { method, path, headers, body, fault } = request;
	const lines = Object.entries(headers).map(
		([name, value]) => `${name}: ${value}`,
	);
	return (
		<Dialog title={`${method} ${path}`} onClose={onClose}>
			<dl class="facts">
				<Fact name="Status">
					<Status request={request} />
				</Fact>
				<Fact name="Duration">{formatMs(request.durationMs)}</Fact>
				<Fact name="Arrived">{formatClock(request.at)}</Fact>
				<Fact name="Operation">{request.operation ?? "none"}</Fact>
				<Fact name="Key">{request.key ?? "none"}</Fact>
				<Fact name="Fault">
					{fault === null ? "none" : <code>{toFaultText(fault)}</code>}
				</Fact>
				<Fact name="Request id">{request.requestId ?? "none"}</Fact>
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

function Fact({
	name,
	children,
}: {
	name: string;
	children: ComponentChildren;
}) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{children}</dd>
		</div>
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
function formatClock(at: number): string {
	return clock.format(at);
}

const clock = new Intl.DateTimeFormat("en-GB", {
	...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
	fractionalSecondDigits: 3,
});
