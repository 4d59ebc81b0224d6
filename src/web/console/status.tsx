// The status of the service: what runs, on which database, with how many animals and requests, and its backups.
import { Fragment } from "preact";
import { get } from "../ui/api.ts";
import { Bars, type RequestCount } from "../ui/bars.tsx";
import {
	formatBytes,
	formatCount,
	formatPercent,
	formatRelative,
	formatTime,
} from "../ui/format.tsx";
import { Shown, useResource } from "../ui/resource.tsx";
import { type BackupPlan, Backups } from "./backups.tsx";
import { petStatuses } from "./pet.tsx";

interface Status {
	readonly version: string;
	readonly engine: string;
	readonly engineVersion?: string;
	readonly schema: bigint;
	readonly databaseBytes?: bigint;
	/** SQLite only. */
	readonly walBytes?: bigint;
	readonly animals: bigint;
	readonly animalsByStatus?: Readonly<Partial<Record<string, bigint>>>;
	/** Absent if the service makes none. */
	readonly backups?: BackupPlan;
	readonly startedAt: string;
	/** By minute and by hour, oldest first. */
	readonly requests: {
		readonly lastHour: readonly RequestCount[];
		readonly lastDay: readonly RequestCount[];
	};
	readonly processMemoryBytes?: bigint;
}

export function StatusView() {
	const status = useResource((ending) => get<Status>("/status", ending));
	return (
		<Shown of={status}>
			{(value) => (
				<>
					<Facts {...value} />
					<Requests {...value} />
					<Backups plan={value.backups} />
				</>
			)}
		</Shown>
	);
}

function Facts(status: Status) {
	return (
		<div class="facts">
			<section class="panel">
				<h2 class="hint">Animals</h2>
				<p class="figure">{formatCount(status.animals)}</p>
				<Shares {...status} />
			</section>
			{toSection("Service", {
				Version: status.version,
				Started: `${formatTime(status.startedAt)} (${formatRelative(status.startedAt)})`,
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
	return bytes === undefined ? undefined : formatBytes(bytes);
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
				const count = Number(animalsByStatus?.[name] ?? 0);
				return (
					<li
						key={name}
						data-status={name}
						style={{ "--part": count / Math.max(all, 1) }}
					>
						<span>{name}</span>
						<span class="number">
							{formatCount(count)} · {formatPercent(count, all)}
						</span>
					</li>
				);
			})}
		</ul>
	);
}

function Requests({ requests: { lastHour, lastDay } }: Status) {
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
