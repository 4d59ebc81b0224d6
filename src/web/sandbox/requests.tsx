// The requests as they come, newest first. Each opens to what was sent, exactly as it came.

import type { RecordedRequest } from "../../testing/recorded-request.ts";
import { get, send } from "../ui/api.ts";
import { Button } from "../ui/dialog.tsx";
import { formatMs } from "../ui/format.tsx";
import { useResource } from "../ui/resource.tsx";
import { type Column, List } from "../ui/table.tsx";
import { attempt } from "../ui/toasts.tsx";
import { toFaultText } from "./faults.tsx";

/** How many requests are shown: more than a person reads. */
const maxShown = 200;

async function listRequests(
	ending: AbortSignal,
): Promise<readonly RecordedRequest[]> {
	const all = await get<readonly RecordedRequest[]>("/requests", ending);
	return all.filter(isOfInterest).slice(-maxShown).toReversed();
}

export function Requests({ example }: { example: string }) {
	const found = useResource(listRequests, "", 500);
	const count = found.value?.length;
	return (
		<section class="requests" aria-labelledby="requests">
			<div class="head">
				<h2 id="requests">Requests</h2>
				<p class="soft" role="status">
					{count === maxShown ? `the last ${count}` : count || ""}
				</p>
				<Button
					class="minor"
					onClick={() =>
						void attempt("Could not clear the requests.", () =>
							send("DELETE", "/requests"),
						)
					}
				>
					Clear
				</Button>
			</div>
			<List
				of={found}
				class="exchanges"
				columns={columns}
				toKey={({ at, requestId }) => `${at} ${requestId}`}
				empty={[
					"No requests yet",
					"Send one, and it is shown here:",
					<pre key="example" class="code">
						<code>{example}</code>
					</pre>,
				]}
			/>
		</section>
	);
}

/** Hides pages, probes and preflight requests. Shows wrong paths. */
function isOfInterest({ operation, status }: RecordedRequest): boolean {
	return operation !== null || status === null || status >= 400;
}

const columns: readonly Column<RecordedRequest>[] = [
	{
		title: "Request",
		kind: "name",
		cell: ({ method, path, headers, body, operation, requestId }) => (
			<details>
				<summary>
					<b>{method}</b> {path}
				</summary>
				<p class="soft">
					{operation ?? "no operation"} · request id {requestId ?? "none"}
				</p>
				<pre class="code">{toLines(headers)}</pre>
				{body && <pre class="code">{body}</pre>}
			</details>
		),
	},
	{
		title: "Status",
		kind: "aside",
		cell: ({ status, unsentStatus, fault }) => (
			<>
				<span class="badge" data-is={String(status ?? "cut")}>
					{status === null
						? `cut${unsentStatus ? `, ${unsentStatus} not sent` : ""}`
						: String(status)}
				</span>
				{fault !== null && <code>{toFaultText(fault)}</code>}
			</>
		),
	},
	{
		title: "Duration",
		isPlain: true,
		kind: "number",
		cell: ({ durationMs }) => formatMs(durationMs),
	},
	{ title: "Key", cell: ({ key }) => key ?? <span class="soft">none</span> },
	{
		title: "Time",
		isPlain: true,
		// In the user's time zone.
		cell: ({ at }) => new Date(at).toLocaleTimeString("en-GB"),
	},
];

function toLines(headers: RecordedRequest["headers"]): string {
	return Object.entries(headers)
		.map(([name, value]) => `${name}: ${value}`)
		.join("\n");
}
