// Entries of the history in a table: what was changed, when and by whom, and the way back.
import { useSignal } from "@preact/signals";
import type { Entry } from "../api/history.ts";
import type { Pet } from "../api/pets.ts";
import { Differences, isSame, PetName } from "../catalogue/content.tsx";
import { Button } from "../parts/fields.tsx";
import { formatTime, toPetLabel } from "../parts/format.ts";
import { Table, unseen } from "../parts/table.tsx";
import type { ConsoleParts } from "../state.ts";

interface EntriesProps extends Pick<ConsoleParts, "actions" | "categories"> {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** The current content, which needs no button. */
	readonly current?: Pet | undefined;
	readonly onPutBack: () => void;
}

const headings = ["When", "By", "Animal", "Change", unseen("Actions")];

export function Entries({ entries, ...props }: EntriesProps) {
	return (
		<div class="changes">
			<Table class="entries" headings={headings}>
				{entries.map((entry) => {
					const { petId, kind, at, by, pet, before } = entry;
					const version = pet?.version ?? before?.version;
					return (
						<tr key={`${petId} ${kind} ${version}`}>
							<td class="when">
								{at === undefined ? "time unknown" : formatTime(at)}
							</td>
							<td class="by">
								<bdi>{by ? toAuthor(by) : "unknown"}</bdi>
							</td>
							<th scope="row">
								<a href={`#catalogue?pet=${petId}`}>
									<PetName name={(pet ?? before)?.name ?? ""} />
								</a>
								<span class="detail">#{String(petId)}</span>
							</th>
							<td>
								<Differences {...props} entry={entry} />
							</td>
							<td class="actions">
								{before && !isSame(before, props.current) && (
									<PutBack {...props} before={before} />
								)}
							</td>
						</tr>
					);
				})}
			</Table>
		</div>
	);
}

type PutBackProps = Omit<EntriesProps, "entries"> & { readonly before: Pet };

function PutBack({ before, actions, onPutBack }: PutBackProps) {
	const isBusy = useSignal(false);
	const putBack = async () => {
		if (isBusy.peek()) return;
		isBusy.value = true;
		if (await actions.restore(before)) onPutBack();
		isBusy.value = false;
	};
	return (
		<Button
			class="plain"
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
