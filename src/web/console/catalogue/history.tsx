// The history of one animal: what was changed, when and by whom, and the way back.
import { useSignal } from "@preact/signals";
import type { Entry } from "../api/history.ts";
import type { Pet } from "../api/pets.ts";
import type { ConsoleParts } from "../app.tsx";
import { Button } from "../parts/fields.tsx";
import { formatTime, toPetLabel } from "../parts/format.ts";
import { Differences, isSame } from "./content.tsx";

interface HistoryProps extends Pick<ConsoleParts, "actions" | "categories"> {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** Undefined if the animal was removed. */
	readonly current: Pet | undefined;
	readonly onPutBack: () => void;
}

export function History(props: HistoryProps) {
	const { entries, current } = props;
	return (
		<section class="history">
			<h3>History</h3>
			{entries.length === 0 && <p class="soft">Nothing is known.</p>}
			<ol>
				{entries.map((entry) => (
					<li key={toEntryName(entry)}>
						<Differences {...props} entry={entry} />
						<p class="soft">
							{entry.at === undefined ? "time unknown" : formatTime(entry.at)}
							{entry.by && ` · ${toAuthor(entry.by)}`}
						</p>
						{entry.before && !isSame(entry.before, current) && (
							<PutBack {...props} class="minor" before={entry.before} />
						)}
					</li>
				))}
			</ol>
		</section>
	);
}

interface PutBackProps extends Pick<HistoryProps, "actions" | "onPutBack"> {
	readonly class: string;
	readonly before: Pet;
}

export function PutBack(props: PutBackProps) {
	const { before, actions, onPutBack } = props;
	const isBusy = useSignal(false);
	const putBack = async () => {
		if (isBusy.peek()) return;
		isBusy.value = true;
		if (await actions.restore(before)) onPutBack();
		isBusy.value = false;
	};
	return (
		<Button
			class={props.class}
			aria-label={`Put back ${toPetLabel(before)}, version ${before.version}`}
			aria-disabled={isBusy.value}
			onClick={() => void putBack()}
		>
			Put back
		</Button>
	);
}

export function toAuthor(by: NonNullable<Entry["by"]>): string {
	const { kind, keyId, importId, name } = by;
	if (name !== undefined) return name;
	if (keyId !== undefined) return `key ${keyId}`;
	return importId === undefined ? kind : `import ${importId}`;
}

export function toEntryName({ petId, kind, pet, before }: Entry): string {
	return `${petId} ${kind} ${pet?.version ?? before?.version}`;
}
