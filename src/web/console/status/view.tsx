// The status of the service: what runs, on which database, with how many animals; and its backups, with links to download them.
import { Fragment } from "preact";
import { petStatuses } from "../api/pets.ts";
import {
	type Backups,
	readBackups,
	readStatus,
	type Status,
} from "../api/status.ts";
import { DownloadLink, type Downloads } from "../parts/download.tsx";
import {
	formatBytes,
	formatCount,
	formatRelative,
	formatShares,
	formatTime,
} from "../parts/format.ts";
import { Failed, usePolled, Waiting } from "../parts/poll.tsx";
import { number, Table, unseen } from "../parts/table.tsx";

const refreshMs = 10_000;

interface StatusProps extends Downloads {
	readonly backupCommand: string;
}

export function StatusView(props: StatusProps) {
	const { api } = props;
	const status = usePolled(refreshMs, (ending) => readStatus(api, ending));
	const backups = usePolled(refreshMs, (ending) => readBackups(api, ending));
	const isListed = backups.failure.value === undefined;
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Status</h1>
			</div>
			<Failed message={status.failure.value} />
			{status.found.value && <Facts status={status.found.value} />}
			<Waiting for={status.found.value ?? status.failure.value} />
			<section class="backups">
				<h2>Backups</h2>
				<Failed message={backups.failure.value} />
				{backups.found.value && isListed && (
					<BackupList {...props} {...backups.found.value} />
				)}
			</section>
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
			{toSection("Service", {
				Version: status.version,
				Started: `${formatTime(status.startedAt)} (${formatRelative(status.startedAt)})`,
				Processes: formatCount(status.workers),
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

function Shares({ status: { animals, animalsByStatus } }: { status: Status }) {
	const counts = petStatuses.map((name) => animalsByStatus?.[name] ?? 0);
	const shares = formatShares(counts);
	return (
		<ul class="shares">
			{petStatuses.map((name, index) => (
				<li key={name} data-status={name}>
					<span>{name}</span>
					<span class="number">
						{formatCount(counts[index] ?? 0)} · {shares[index]}
					</span>
					<progress
						aria-label={`Share of ${name} animals`}
						max={Math.max(animals, 1)}
						value={counts[index]}
					/>
				</li>
			))}
		</ul>
	);
}

function BackupList(props: StatusProps & Backups) {
	const { hasFolder, backups, backupCommand } = props;
	if (!hasFolder)
		return (
			<p class="soft">
				To list backups here, start the service with{" "}
				<code>--backups FOLDER</code>. Make a backup with{" "}
				<code>{backupCommand}</code>.
			</p>
		);
	if (backups.length === 0)
		return (
			<p class="soft">
				The folder has no backups yet. Make one with{" "}
				<code>{backupCommand}</code>.
			</p>
		);
	return (
		<Table headings={["Name", "Made", number("Size"), unseen("Download")]}>
			{backups.map(({ name, bytes, createdAt }) => (
				<tr key={name}>
					<th scope="row">{name}</th>
					<td title={formatTime(createdAt)}>{formatRelative(createdAt)}</td>
					<td class="number">{formatBytes(bytes)}</td>
					<td class="actions">
						<DownloadLink
							downloads={props}
							path={`/backups/${encodeURIComponent(name)}`}
							label={`Download ${name}`}
							text="Download"
						/>
					</td>
				</tr>
			))}
		</Table>
	);
}
