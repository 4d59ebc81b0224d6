// The backups in the folder of the service, with links to download them.
import { statusRefreshMs } from "../../../limits.ts";
import {
	type Backup,
	type Backups,
	readBackups,
	toBackupPath,
} from "../api/backups.ts";
import { DownloadLink, type Downloads } from "../parts/download.tsx";
import { Failed } from "../parts/failed.tsx";
import { formatBytes, formatRelative, formatTime } from "../parts/format.ts";
import { usePolled } from "./polled.ts";

interface BackupProps {
	readonly downloads: Downloads;
	/** What makes a backup. */
	readonly command: string;
}

export function BackupList(props: BackupProps) {
	const { api } = props.downloads;
	const { found, failure } = usePolled(statusRefreshMs, (ending) =>
		readBackups(api, ending),
	);
	return (
		<section class="backups">
			<h2>Backups</h2>
			<Failed message={failure.value} />
			{found.value !== undefined && failure.value === undefined && (
				<Content {...props} found={found.value} />
			)}
		</section>
	);
}

function Content({
	downloads,
	command,
	found,
}: BackupProps & { found: Backups }) {
	if (!found.hasFolder)
		return (
			<p class="soft">
				Start the service with <code>--backups FOLDER</code> to see the backups
				in that folder here. <code>{command}</code> makes one.
			</p>
		);
	if (found.backups.length === 0)
		return (
			<p class="soft">
				There is no backup in the folder yet. <code>{command}</code> makes one.
			</p>
		);
	return (
		<table>
			<thead>
				<tr>
					<th scope="col">Name</th>
					<th scope="col">Made</th>
					<th scope="col" class="number">
						Size
					</th>
					<th scope="col">
						<span class="unseen">Download</span>
					</th>
				</tr>
			</thead>
			<tbody>
				{found.backups.map((backup) => (
					<Row key={backup.name} downloads={downloads} backup={backup} />
				))}
			</tbody>
		</table>
	);
}

function Row({ downloads, backup }: { downloads: Downloads; backup: Backup }) {
	const { name, bytes, createdAt } = backup;
	return (
		<tr>
			<th scope="row">{name}</th>
			<td title={formatTime(createdAt)}>{formatRelative(createdAt)}</td>
			<td class="number">{formatBytes(bytes)}</td>
			<td class="actions">
				<DownloadLink
					downloads={downloads}
					path={toBackupPath(backup)}
					label={`Download ${name}`}
					text="Download"
				/>
			</td>
		</tr>
	);
}
