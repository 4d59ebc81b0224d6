// The status of the service: what runs, on which database, with how many animals and requests; and its backups: make one, and download them.
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { petStatuses } from "../api/pets.ts";
import type { Backups, Status } from "../api/status.ts";
import { Button } from "../parts/fields.tsx";
import {
	formatBytes,
	formatCount,
	formatPercent,
	formatRelative,
	formatTime,
} from "../parts/format.ts";
import { Failed, usePolled, Waiting } from "../parts/poll.tsx";
import { number, Table, unseen } from "../parts/table.tsx";
import type { ConsoleParts } from "../state.ts";
import { Requests } from "./bars.tsx";

const refreshMs = 10_000;

export function StatusView(props: ConsoleParts) {
	const { read, listBackups } = props.status;
	/** The number of backups that this page has made. */
	const made = useSignal(0);
	const { found, failure } = usePolled(refreshMs, read, [made.value]);
	const backups = usePolled(refreshMs, listBackups, [made.value]);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Status</h1>
			</div>
			<Failed message={failure.value} />
			{found.value && <Facts {...found.value} />}
			{found.value && <Requests {...found.value} />}
			<Waiting for={found.value ?? failure.value} />
			<section class="backups">
				<div class="head">
					<h2>Backups</h2>
					{backups.found.value?.hasFolder && (
						<BackUp {...props} onEnd={() => made.value++} />
					)}
				</div>
				{found.value && <Newest {...found.value} />}
				<Failed message={backups.failure.value} />
				{backups.found.value && !backups.failure.value && (
					<BackupList {...props} {...backups.found.value} />
				)}
			</section>
		</>
	);
}

function Facts(status: Status) {
	return (
		<div class="facts">
			<section>
				<h2>Animals</h2>
				<p class="figure">
					{status.animalsAreAtLeast && <small>at least </small>}
					{formatCount(status.animals)}
				</p>
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

function Shares({ animals, animalsByStatus }: Status) {
	return (
		<ul class="shares">
			{petStatuses.map((name) => {
				const count = animalsByStatus?.[name] ?? 0;
				return (
					<li key={name} data-status={name}>
						<span>{name}</span>
						<span class="number">
							{formatCount(count)} · {formatPercent(count, animals)}
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

function BackUp(props: ConsoleParts & { onEnd: () => void }) {
	const { status, toasts, onEnd } = props;
	const isMaking = useSignal(false);
	const make = async () => {
		isMaking.value = true;
		await toasts.attempt("Could not make a backup.", async () =>
			toasts.show(`Made the backup ${await status.makeBackup()}.`),
		);
		isMaking.value = false;
		onEnd();
	};
	return (
		<Button
			class="minor"
			aria-disabled={isMaking.value}
			onClick={() => isMaking.value || void make()}
		>
			{isMaking.value ? "Making a backup …" : "Back up now"}
		</Button>
	);
}

function Newest({ newestBackupAt: at, backupFailure }: Status) {
	return (
		<>
			<Failed
				message={backupFailure && `The last backup failed. ${backupFailure}`}
			/>
			{at !== undefined && (
				<p class="soft" title={formatTime(at)}>
					Newest backup: {formatRelative(at)}.
				</p>
			)}
		</>
	);
}

function BackupList(props: ConsoleParts & Backups) {
	const { hasFolder, backups } = props;
	if (!hasFolder)
		return (
			<p class="soft">
				To list backups here, start the service with{" "}
				<code>--backups FOLDER</code>. Make a backup with{" "}
				<code>petstore backup</code>.
			</p>
		);
	if (backups.length === 0)
		return <p class="soft">The folder has no backups yet.</p>;
	return (
		<Table headings={["Name", "Made", number("Size"), unseen("Download")]}>
			{backups.map(({ name, bytes, createdAt }) => (
				<tr key={name}>
					<th scope="row">{name}</th>
					<td title={formatTime(createdAt)}>{formatRelative(createdAt)}</td>
					<td class="number">{formatBytes(bytes)}</td>
					<td>
						<a
							href={`${props.api.base}/backups/${encodeURIComponent(name)}`}
							aria-label={`Download ${name}`}
						>
							Download
						</a>
					</td>
				</tr>
			))}
		</Table>
	);
}
