// The backups in the folder of the service, with links to download them.
import { type Backups, readBackups } from "../api/status.ts";
import { DownloadLink, type Downloads } from "../parts/download.tsx";
import { formatBytes, formatRelative, formatTime } from "../parts/format.ts";
import { Failed, usePolled } from "../parts/poll.tsx";
import { number, Table, unseen } from "../parts/table.tsx";

/** How often the status and the backups are read while they are shown. */
export const statusRefreshMs = 10_000;

interface BackupProps {
	readonly downloads: Downloads;
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
		<Table headings={["Name", "Made", number("Size"), unseen("Download")]}>
			{found.backups.map(({ name, bytes, createdAt }) => (
				<tr key={name}>
					<th scope="row">{name}</th>
					<td title={formatTime(createdAt)}>{formatRelative(createdAt)}</td>
					<td class="number">{formatBytes(bytes)}</td>
					<td class="actions">
						<DownloadLink
							downloads={downloads}
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
