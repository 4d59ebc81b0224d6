// The status of the service: what runs, on which database, with how many animals.
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
			<section>
				<h2>Service</h2>
				<dl>
					<dt>Version</dt>
					<dd>{status.version}</dd>
					<dt>Started</dt>
					<dd>{formatTime(status.startedAt)}</dd>
					<dt>Uptime</dt>
					<dd>{formatDuration(Date.now() - status.startedAt)}</dd>
					<dt>Processes</dt>
					<dd>{formatCount(status.workers)}</dd>
					<OptionalBytes title="Memory" bytes={status.processMemoryBytes} />
				</dl>
			</section>
			<section>
				<h2>Database</h2>
				<dl>
					<dt>Engine</dt>
					<dd>
						{engineNames[status.engine] ?? status.engine} {status.engineVersion}
					</dd>
					<dt>Schema</dt>
					<dd>version {status.schema}</dd>
					<OptionalBytes title="Size on disk" bytes={status.databaseBytes} />
					<OptionalBytes title="Write-ahead log" bytes={status.walBytes} />
				</dl>
			</section>
		</div>
	);
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

function OptionalBytes({
	title,
	bytes,
}: {
	title: string;
	bytes: number | undefined;
}) {
	if (bytes === undefined) return null;
	return (
		<>
			<dt>{title}</dt>
			<dd>{formatBytes(bytes)}</dd>
		</>
	);
}
