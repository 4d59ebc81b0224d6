// The status of the service: what runs, on which database, with how many animals and requests, and its backups.

import { Fragment } from "preact";
import {
	toCountText,
	toQuantity,
	toSizeText,
} from "../../../domain/quantity.ts";
import type { Status } from "../../../interface/replies.ts";
import { get } from "../../ui/api.ts";
import {
	formatMs,
	formatPercent,
	formatRelative,
	formatTime,
	formatTimeOfDay,
} from "../../ui/format.tsx";
import { Failed, Shown, useResource } from "../../ui/resource.tsx";
import { petStatuses } from "../pet.tsx";
import { Backups } from "./backups.tsx";

type Counts = NonNullable<Status["requests"]>;

export function StatusView() {
	const status = useResource((ending) => get<Status>("/status", ending));
	return (
		<Shown of={status}>
			{(value) => (
				<>
					<Failed message={toWriteFailure(value)} />
					<Failed message={toBackupFailure(value)} />
					<Facts {...value} />
					{value.requests && <Requests {...value.requests} />}
					<Backups plan={value.backups} />
				</>
			)}
		</Shown>
	);
}

function toWriteFailure({ writeFailure: found }: Status) {
	return (
		found &&
		`Nothing can be saved since ${formatTime(found.since)} (${formatRelative(found.since)}): ${found.reason}. Animals are still found. Tell the person who runs the service.`
	);
}

function toBackupFailure({ backups }: Status) {
	return backups?.failure && `The last backup failed. ${backups.failure}`;
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

function Requests({ lastHour, lastDay }: Counts) {
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

interface BarsProps {
	readonly title: string;
	/** What a bar is, like “a minute”. */
	readonly unit: string;
	readonly counts: Counts["lastHour"];
}

/** A table that the style draws as bars, so that screen readers read its figures. Pointing at a bar shows them. */
function Bars({ title, unit, counts }: BarsProps) {
	const total = counts.reduce((sum, { total }) => sum + total, 0n);
	const failed = counts.reduce((sum, { failed }) => sum + failed, 0n);
	const top = Math.max(...counts.map(({ total }) => Number(total)));
	return (
		<table class="bars">
			<caption>
				<b>{title}</b> {toQuantity(total, "request")}, {toCountText(failed)}{" "}
				failed, up to {toCountText(top)} {unit}
			</caption>
			<thead>
				<tr>
					<th scope="col">Time</th>
					<th scope="col">Requests</th>
					<th scope="col">Failed</th>
					<th scope="col">99th percentile</th>
				</tr>
			</thead>
			<tbody>
				{counts.map(({ at, total, failed, p99Ms }) => {
					const time = formatTimeOfDay(at);
					const p99 = formatMs(p99Ms);
					const text = `${time}: ${toQuantity(total, "request")}, ${toCountText(failed)} failed, 99 % within ${p99}`;
					return (
						<tr key={at} title={text}>
							<th scope="row">{time}</th>
							<td style={toHeight(total - failed, top)}>
								<span>{toCountText(total)}</span>
							</td>
							<td style={toHeight(failed, top)}>
								<span>{toCountText(failed)}</span>
							</td>
							<td>
								<span>{p99}</span>
							</td>
						</tr>
					);
				})}
			</tbody>
		</table>
	);
}

/** One request among thousands is visible too. */
function toHeight(count: bigint, top: number) {
	return { "--part": count === 0n ? 0 : Math.max(Number(count) / top, 0.02) };
}
