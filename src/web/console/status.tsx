// The status of the service: what runs, on which database, with how many animals and requests; and its backups: make one, and download them.
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { petStatuses } from "../../domain/pet.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { base } from "../browser/base.ts";
import { access, get, hasCode, send, toMessage } from "../ui/api.ts";
import { Bars } from "../ui/bars.tsx";
import { Button } from "../ui/dialog.tsx";
import {
	formatBytes,
	formatCount,
	formatMs,
	formatPercent,
	formatRelative,
	formatTime,
	formatTimeOfDay,
	Moment,
} from "../ui/format.tsx";
import { Failed, reload, Shown, useResource } from "../ui/resource.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { attempt, say } from "../ui/toasts.tsx";

interface Status {
	readonly version: string;
	readonly engine: string;
	readonly engineVersion?: string;
	readonly schema: bigint;
	readonly databaseBytes?: bigint;
	/** SQLite only. */
	readonly walBytes?: bigint;
	readonly animals: bigint;
	/** Whether `animals` is a lower bound. */
	readonly animalsAreAtLeast?: boolean;
	readonly animalsByStatus?: Readonly<Partial<Record<string, bigint>>>;
	/** Absent if the service makes none. */
	readonly backups?: {
		readonly last?: { readonly at: string };
		/** Why the last one failed. */
		readonly failure?: string;
	};
	readonly startedAt: string;
	/** By minute and by hour, oldest first. */
	readonly requests: {
		readonly lastHour: readonly RequestCount[];
		readonly lastDay: readonly RequestCount[];
	};
	readonly processMemoryBytes?: bigint;
}

interface RequestCount {
	readonly at: string;
	readonly total: bigint;
	readonly failed: bigint;
	readonly p99Ms?: number | bigint;
}

interface Backup {
	readonly name: string;
	readonly bytes: bigint;
	readonly createdAt: string;
}

interface Backups {
	/** Whether the service was started with a folder for backups. */
	readonly hasFolder: boolean;
	readonly backups: readonly Backup[];
}

export function StatusView() {
	const status = useResource((ending) => get<Status>("/status", ending));
	const backups = useResource((ending) =>
		get<Backups>("/backups", ending).catch((error) => {
			// The service may work although it cannot read the folder.
			if (!hasCode(error, "unavailable")) throw error;
			throw new Error(toMessage(error));
		}),
	);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Status</h1>
			</div>
			<Shown of={status}>
				{(value) => (
					<>
						<Facts {...value} />
						<Requests {...value} />
					</>
				)}
			</Shown>
			<section class="backups">
				<div class="head">
					<h2>Backups</h2>
					{backups.value?.hasFolder && <BackUp />}
				</div>
				{status.value && <Newest {...status.value} />}
				<Shown of={backups}>{toBackups}</Shown>
			</section>
		</>
	);
}

function Facts(status: Status) {
	return (
		<div class="facts">
			<section class="panel">
				<h2 class="hint">Animals</h2>
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
					<li key={name} data-status={name}>
						<span>{name}</span>
						<span class="number">
							{formatCount(count)} · {formatPercent(count, all)}
						</span>
						<progress
							aria-label={`Share of ${name} animals`}
							max={Math.max(all, 1)}
							value={count}
						/>
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
				{toBars("Last hour", "a minute", lastHour)}
				{toBars("Last 24 hours", "an hour", lastDay)}
			</div>
		</section>
	);
}

function toBars(title: string, unit: string, counts: readonly RequestCount[]) {
	const totals = counts.map(({ total }) => Number(total));
	const failed = counts.map((one) => Number(one.failed));
	const top = Math.max(...totals);
	return (
		<Bars
			title={title}
			summary={`${toQuantity(sum(totals), "request")}, ${formatCount(sum(failed))} failed, up to ${formatCount(top)} ${unit}`}
			series={["Requests", "Failed", "99th percentile"]}
			top={top}
			bars={counts.map(({ at, total, failed, p99Ms }) => {
				const time = formatTimeOfDay(at);
				const p99 = formatMs(p99Ms);
				return {
					time,
					text: `${time}: ${toQuantity(Number(total), "request")}, ${formatCount(failed)} failed, 99 % within ${p99}`,
					figures: [formatCount(total), formatCount(failed), p99],
					parts: [Number(total - failed), Number(failed)],
				};
			})}
		/>
	);
}

function sum(values: readonly number[]): number {
	return values.reduce((all, value) => all + value, 0);
}

function Newest({ backups: { last, failure } = {} }: Status) {
	const at = last?.at;
	return (
		<>
			<Failed message={failure && `The last backup failed. ${failure}`} />
			{at !== undefined && (
				<p class="soft" title={formatTime(at)}>
					Newest backup: {formatRelative(at)}.
				</p>
			)}
		</>
	);
}

/** The service answers sooner. */
const backupMs = 60_000;

function BackUp() {
	const isMaking = useSignal(false);
	const make = async () => {
		if (isMaking.peek()) return;
		isMaking.value = true;
		await attempt("Could not make a backup.", async () => {
			const { name } = await send<Backup>("POST", "/backups", {
				timeoutMs: backupMs,
			});
			say(`Made the backup ${name}.`);
		});
		isMaking.value = false;
		reload();
	};
	return (
		<Button
			class="minor"
			aria-disabled={isMaking.value}
			onClick={() => void make()}
		>
			{isMaking.value ? "Making a backup …" : "Back up now"}
		</Button>
	);
}

function toBackups({ hasFolder, backups }: Backups) {
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
		<Table
			class="files"
			rows={backups}
			columns={backupColumns}
			toKey={({ name }) => name}
		/>
	);
}

const backupColumns: readonly Column<Backup>[] = [
	{ title: "Name", kind: "head", cell: ({ name }) => name },
	{ title: "Made", cell: ({ createdAt }) => <Moment time={createdAt} /> },
	{ title: "Size", kind: "number", cell: ({ bytes }) => formatBytes(bytes) },
	{
		title: "Download",
		kind: "actions",
		cell: ({ name }) => (
			<a
				href={`${base}${access.prefix}/backups/${encodeURIComponent(name)}`}
				aria-label={`Download ${name}`}
			>
				Download
			</a>
		),
	},
];
