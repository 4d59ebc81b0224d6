// One request: what it has sent, in a dialog, and its status and time as the list shows them too.
import type { ComponentChildren } from "preact";
import { Dialog } from "../console/parts/dialog.tsx";
import { formatMs } from "../console/parts/format.ts";
import type { Recorded } from "./control.ts";
import { toFaultText } from "./switches.ts";

export function Status({
	request: { status, unsentStatus },
}: {
	request: Recorded;
}) {
	return (
		<span class="badge" data-class={toClass(status)}>
			{status ?? (unsentStatus ? `cut, ${unsentStatus} not sent` : "cut")}
		</span>
	);
}

/** The first digit of a status. */
export function toClass(status: Recorded["status"]): string {
	return status === null ? "cut" : String(status).charAt(0);
}

export function Details({
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
export function formatClock(at: number): string {
	return clock.format(at);
}

const clock = new Intl.DateTimeFormat("en-GB", {
	...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
	fractionalSecondDigits: 3,
});
