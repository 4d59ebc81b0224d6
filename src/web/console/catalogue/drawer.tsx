// The drawer of one animal beside the catalogue: its content to edit, and its history.
import { useRef } from "preact/hooks";
import { readPet } from "../api/history.ts";
import type { Pet } from "../api/pets.ts";
import { Entries } from "../history/entries.tsx";
import { canLeaveDrawer, Dialog } from "../parts/dialog.tsx";
import { Button } from "../parts/fields.tsx";
import { capitalise, toPetLabel, toTitle } from "../parts/format.ts";
import { Failed, usePolled, Waiting } from "../parts/poll.tsx";
import type { Place } from "../route.ts";
import type { ConsoleParts } from "../state.ts";
import { toDifference } from "./content.tsx";
import { PetForm } from "./form.tsx";

const refreshMs = 5_000;

export function openPet({ go }: Place, { id }: Pet): void {
	if (canLeaveDrawer()) go({ pet: String(id) });
}

export function PetDrawer(props: ConsoleParts) {
	const id = props.place.query.value.pet;
	return id === undefined ? null : <Drawer key={id} {...props} id={id} />;
}

function Drawer(props: ConsoleParts & { id: string }) {
	const { api, pets, place, list, actions, categories, id } = props;
	const inList = list.shown.value.find((pet) => String(pet.id) === id);
	const { found, failure } = usePolled(
		refreshMs,
		(ending) => readPet(api, pets, id, ending),
		[id, inList?.version],
	);
	const close = () => place.go({ pet: "" });
	const { pet, entries } = found.value ?? {};
	const last = useRef(pet);
	last.current = pet ?? last.current;
	/** Stays when somebody else removes the animal, because the form may have unsaved changes. */
	const edited = last.current;
	const removed = entries?.[0]?.before;
	return (
		<Dialog title={`Animal ${id}`} isDrawer onClose={close}>
			<Failed message={failure.value} />
			<Waiting for={entries ?? failure.value} />
			{entries && !pet && (
				<p class="notice">
					{entries.length === 0
						? "No animal has this id."
						: `${removed ? capitalise(toTitle(removed)) : "This animal"} was removed.`}
				</p>
			)}
			{edited && (
				<PetForm
					pet={edited}
					categories={categories}
					submit="Save"
					onSave={async (typed, _key, base = edited) => {
						await actions.change(base, toDifference(base, typed));
						close();
					}}
					onCancel={close}
					other={
						<Button
							class="remove"
							aria-label={`Remove ${toPetLabel(edited)}`}
							onClick={() => {
								close();
								void actions.remove(edited);
							}}
						>
							Remove
						</Button>
					}
				/>
			)}
			{entries && (
				<section class="history">
					<h3>History</h3>
					{entries.length === 0 && <p class="soft">No history.</p>}
					<Entries
						{...props}
						entries={entries}
						current={pet}
						onPutBack={() => {
							if (canLeaveDrawer()) close();
						}}
					/>
				</section>
			)}
		</Dialog>
	);
}
