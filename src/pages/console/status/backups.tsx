// The backups in the folder of the service, with links to download them.
import { statusRefreshMs } from "../../../limits.ts";
import type { Api } from "../api/api.ts";
import {
	type Backup,
	type Backups,
	readBackups,
	toBackupPath,
} from "../api/backups.ts";
import { Failed } from "../parts/failed.tsx";
import { formatBytes, formatRelative, formatTime } from "../parts/format.ts";
import { usePolled } from "./polled.ts";

export function BackupList({ api }: { api: Api }) {
	const { found, failure } = usePolled(statusRefreshMs, (ending) =>
		readBackups(api, ending),
	);
	return (
		<section class="backups">
			<h2>Backups</h2>
			<Failed message={failure.value} />
			{found.value !== undefined && <Content api={api} found={found.value} />}
		</section>
	);
}

function Content({ api, found }: { api: Api; found: Backups }) {
	if (!found.hasFolder)
		return (
			<p class="soft">
				Start the service with <code>--backups FOLDER</code> to see the backups
				in that folder here. <code>petstore backup</code> makes one.
			</p>
		);
	if (found.backups.length === 0)
		return (
			<p class="soft">
				There is no backup in the folder yet. <code>petstore backup</code> makes
				one.
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
					<Row key={backup.name} api={api} backup={backup} />
				))}
			</tbody>
		</table>
	);
}

function Row({ api, backup }: { api: Api; backup: Backup }) {
	const { name, bytes, createdAt } = backup;
	return (
		<tr>
			<th scope="row">{name}</th>
			<td title={formatTime(createdAt)}>{formatRelative(createdAt)}</td>
			<td class="number">{formatBytes(bytes)}</td>
			<td class="actions">
				<a
					href={api.base + toBackupPath(backup)}
					aria-label={`Download ${name}`}
					download
				>
					Download
				</a>
			</td>
		</tr>
	);
}
