// The backups of the service: when it makes them, and the list to make, download and restore one.
import {
	toCountText,
	toQuantity,
	toSizeText,
} from "../../../domain/quantity.ts";
import type { Backup, Status } from "../../../interface/replies.ts";
import { getAll, hasCode, send, toMessage } from "../../ui/api.ts";
import { Button } from "../../ui/dialog.tsx";
import { Actions, type Asked } from "../../ui/form.tsx";
import {
	formatAnimals,
	formatRelative,
	formatTime,
	Moment,
} from "../../ui/format.tsx";
import { useResource } from "../../ui/resource.tsx";
import { type Column, List } from "../../ui/table.tsx";
import { attempt, Download, say } from "../../ui/toasts.tsx";

type Plan = NonNullable<Status["backups"]>;

export function Backups({ plan }: { plan: Plan | undefined }) {
	const found = useResource((ending) =>
		getAll<Backup>("backups", 1000, ending).catch((error) => {
			// The service may work although it cannot read the folder.
			if (!hasCode(error, "unavailable")) throw error;
			throw new Error(toMessage(error));
		}),
	);
	return (
		<section class="backups">
			<div class="head">
				<h2>Backups</h2>
				{plan && (
					<Button class="minor" onClick={() => void backUp()}>
						Back up now
					</Button>
				)}
			</div>
			<p class="soft">
				{plan
					? toPlanText(plan)
					: "This service makes no backups. Start it with --backups FOLDER, or run “petstore backup”."}
			</p>
			{plan && (
				<List
					of={found}
					class="files"
					columns={columns}
					toKey={({ name }) => name}
				/>
			)}
		</section>
	);
}

/** For example “Every 24 hours into backups; the last 14 are kept. Last: 3 hours ago, 12 animals. Next: in 21 hours.” */
function toPlanText({ folder, every = 0n, keep, last, nextAt }: Plan) {
	const hours = Number(every) / 3_600;
	const interval = Number.isInteger(hours)
		? toQuantity(hours, "hour")
		: toQuantity(Math.round(hours * 60), "minute");
	return [
		`${every > 0n ? `Every ${interval}` : "Only on request"} into ${folder}${keep ? `; the last ${keep} are kept` : ""}.`,
		last
			? `Last: ${formatRelative(last.at)}, ${formatAnimals(last.animals)}.`
			: "None of this catalogue was found.",
		nextAt && `Next: ${formatRelative(nextAt)}.`,
	]
		.filter(Boolean)
		.join(" ");
}

function backUp(): Promise<boolean> {
	return attempt("Could not make a backup.", async () => {
		say("Making a backup …");
		const { name } = await send<Backup>("POST", "/backups");
		say(`Made the backup ${name}.`);
	});
}

const columns: readonly Column<Backup>[] = [
	{ title: "Name", kind: "name", cell: ({ name }) => name },
	{ title: "Made", cell: ({ createdAt }) => <Moment time={createdAt} /> },
	{
		title: "Animals",
		kind: "number",
		cell: ({ animals }) => toCountText(animals),
	},
	{ title: "Size", kind: "number", cell: ({ bytes }) => toSizeText(bytes) },
	{
		title: "Actions",
		kind: "actions",
		cell: (backup) => (
			<>
				<Actions of={backup.name} forms={[toRestoring(backup)]} />
				<Download path={toPath(backup)} label={`Download ${backup.name}`}>
					Download
				</Download>
			</>
		),
	},
];

function toPath({ name }: Backup): string {
	return `/backups/${encodeURIComponent(name)}`;
}

function toRestoring(backup: Backup): Asked {
	const { animals, createdAt } = backup;
	return {
		title: `Restore the backup of ${formatTime(createdAt)}?`,
		submit: "Restore",
		isDangerous: true,
		text: `Its ${formatAnimals(animals)} replace all animals, with their categories and history. The service first makes a backup of the state before. Keys and sessions stay.`,
		async run() {
			const restored = await send<{ animals: bigint; backup: string }>(
				"POST",
				`${toPath(backup)}/restore`,
				{ body: { animals } },
			);
			return `Restored ${formatAnimals(restored.animals)}. The state before is in ${restored.backup}.`;
		},
	};
}
