// The status of the service: what runs, on which database, with how many animals and requests, and its backups.

import { Fragment } from "preact";
import { toCountText, toSizeText } from "../../domain/quantity.ts";
import type { StatusJson as Status } from "../../operator/status.ts";
import { get } from "../ui/api.ts";
import { formatPercent, formatRelative, formatTime } from "../ui/format.tsx";
import { Shown, useResource } from "../ui/resource.tsx";
import { Backups } from "./backups.tsx";
import { Bars } from "./bars.tsx";
import { petStatuses } from "./pet.tsx";

export function StatusView() {
	const status = useResource((ending) => get<Status>("/status", ending));
	return (
		<Shown of={status}>
			{(value) => (
				<>
					<Facts {...value} />
					{value.requests && <Requests {...value.requests} />}
					<Backups plan={value.backups} />
				</>
			)}
		</Shown>
	);
}

function Facts(status: Status) {
	const { startedAt } = status;
	return (
		<div class="facts">
			<section class="panel">
				<h2 class="hint">Animals</h2>
				<p class="figure">{toCountText(status.animals)}</p>
				<Shares {...status} />
			</section>
			{toSection("Service", {
				Version: status.version,
				Started:
					startedAt &&
					`${formatTime(startedAt)} (${formatRelative(startedAt)})`,
				Memory: toSize(status.processMemoryBytes),
			})}
			{toSection("Database", {
				Engine: `${engineNames[status.engine] ?? status.engine} ${status.engineVersion ?? ""}`,
				Schema: `version ${status.schema}`,
				"Size on disk": toSize(status.databaseBytes),
				"Write-ahead log": toSize(status.walBytes),
			})}
		</div>
	);
}

/** Facts that are not known are left out. */
function toSection(title: string, facts: Record<string, string | undefined>) {
	return (
		<section class="panel">
			<h2 class="hint">{title}</h2>
			<dl>
				{Object.entries(facts)
					.filter(([, fact]) => fact !== undefined)
					.map(([name, fact]) => (
						<Fragment key={name}>
							<dt>{name}</dt>
							<dd>{fact}</dd>
						</Fragment>
					))}
			</dl>
		</section>
	);
}

function toSize(bytes: bigint | undefined): string | undefined {
	return bytes === undefined ? undefined : toSizeText(bytes);
}

const engineNames: Readonly<Record<string, string>> = {
	sqlite: "SQLite",
	postgres: "PostgreSQL",
};

function Shares({ animals, animalsByStatus }: Status) {
	const all = Number(animals);
	return (
		<ul class="shares">
			{petStatuses.map((name) => {
				const count = Number(animalsByStatus[name]);
				return (
					<li
						key={name}
						data-status={name}
						style={{ "--part": count / Math.max(all, 1) }}
					>
						<span>{name}</span>
						<span class="number">
							{toCountText(count)} · {formatPercent(count, all)}
						</span>
					</li>
				);
			})}
		</ul>
	);
}

function Requests({ lastHour, lastDay }: NonNullable<Status["requests"]>) {
	return (
		<section class="requests">
			<h2>Requests</h2>
			<p class="soft">
				Counted in memory by the process that answered this page, since its
				start.
			</p>
			<div class="charts">
				<Bars title="Last hour" unit="a minute" counts={lastHour} />
				<Bars title="Last 24 hours" unit="an hour" counts={lastDay} />
			</div>
		</section>
	);
}
