// The status of the service: what runs, on which database, with how many animals.
import { Fragment } from "preact";
import { petStatuses } from "../api/pets.ts";
import { readStatus, type Status } from "../api/status.ts";
import type { Downloads } from "../parts/download.tsx";
import {
	formatBytes,
	formatCount,
	formatDuration,
	formatShares,
	formatTime,
} from "../parts/format.ts";
import { Failed, usePolled, Waiting } from "../parts/poll.tsx";
import { BackupList, statusRefreshMs } from "./backups.tsx";

export function StatusView({
	api,
	toasts,
	backupCommand,
}: Downloads & {
	backupCommand: string;
}) {
	const { found: status, failure } = usePolled(statusRefreshMs, (ending) =>
		readStatus(api, ending),
	);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Status</h1>
			</div>
			<Failed message={failure.value} />
			{status.value !== undefined && <Facts status={status.value} />}
			<Waiting for={status.value ?? failure.value} />
			<BackupList downloads={{ api, toasts }} command={backupCommand} />
		</>
	);
}

function Facts({ status }: { status: Status }) {
	return (
		<div class="facts">
			<section>
				<h2>Animals</h2>
				<p class="figure">
					{status.animalsAreAtLeast && <small>at least </small>}
					{formatCount(status.animals)}
				</p>
				<Shares status={status} />
			</section>
			<Section
				title="Service"
				facts={{
					Version: status.version,
					Started: formatTime(status.startedAt),
					Uptime: formatDuration(Date.now() - status.startedAt),
					Processes: formatCount(status.workers),
					Memory: toSize(status.processMemoryBytes),
				}}
			/>
			<Section
				title="Database"
				facts={{
					Engine: `${engineNames[status.engine] ?? status.engine} ${status.engineVersion ?? ""}`,
					Schema: `version ${status.schema}`,
					"Size on disk": toSize(status.databaseBytes),
					"Write-ahead log": toSize(status.walBytes),
				}}
			/>
		</div>
	);
}

/** Facts that are not known are left out. */
function Section({
	title,
	facts,
}: {
	title: string;
	facts: Readonly<Record<string, string | undefined>>;
}) {
	return (
		<section>
			<h2>{title}</h2>
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

function toSize(bytes: number | undefined): string | undefined {
	return bytes === undefined ? undefined : formatBytes(bytes);
}

const engineNames: Readonly<Record<string, string>> = {
	sqlite: "SQLite",
	postgres: "PostgreSQL",
};

/** How many animals have each status. */
function Shares({ status: { animals, animalsByStatus } }: { status: Status }) {
	const counts = petStatuses.map((name) => animalsByStatus?.[name] ?? 0);
	const shares = formatShares(counts);
	return (
		<ul class="shares">
			{petStatuses.map((name, index) => {
				const count = counts[index] ?? 0;
				return (
					<li key={name} data-status={name}>
						<span>{name}</span>
						<span class="number">
							{formatCount(count)} · {shares[index]}
						</span>
						<progress
							aria-label={`Share of ${name} animals`}
							max={Math.max(animals, 1)}
							value={count}
						/>
					</li>
				);
			})}
		</ul>
	);
}
