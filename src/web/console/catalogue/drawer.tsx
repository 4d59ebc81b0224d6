// The drawer of one animal beside the catalogue: its content to edit, and its history.
import type { Api } from "../api/api.ts";
import { readHistory } from "../api/history.ts";
import type { Pet, Pets } from "../api/pets.ts";
import type { Categories } from "../categories/state.ts";
import { canLeave, Dialog } from "../parts/dialog.tsx";
import { Button } from "../parts/fields.tsx";
import { toPetLabel } from "../parts/format.ts";
import { Failed, usePolled, Waiting } from "../parts/poll.tsx";
import type { Place } from "../route.ts";
import type { Actions } from "./actions.ts";
import { toDifference } from "./difference.ts";
import { PetForm } from "./form.tsx";
import { History } from "./history.tsx";
import type { PetList } from "./list.ts";

const refreshMs = 5_000;

export interface DrawerProps {
	readonly api: Api;
	readonly pets: Pets;
	readonly place: Place;
	readonly list: PetList;
	readonly actions: Actions;
	readonly categories: Categories;
}

/** Unless something was typed for another animal. */
export function openPet({ go }: Place, { id }: Pet): void {
	if (canLeave(document.querySelector(".drawer"))) go({ pet: String(id) });
}

export function PetDrawer(props: DrawerProps) {
	const id = props.place.query.value.pet;
	return id === undefined ? null : <Drawer key={id} {...props} id={id} />;
}

function Drawer(props: DrawerProps & { id: string }) {
	const { api, pets, place, list, actions, categories, id } = props;
	const inList = list.shown.value.find((pet) => String(pet.id) === id);
	const { found, failure } = usePolled(
		refreshMs,
		async (ending) => {
			const entries = await readHistory(api, id, ending);
			const [{ kind, pet } = {}] = entries;
			if (kind === "removed") return { entries };
			return { entries, pet: pet ?? (await pets.get(id, ending)) };
		},
		[id, inList?.version],
	);
	const close = () => place.go({ pet: "" });
	const { pet, entries } = found.value ?? {};
	return (
		<Dialog title={`Animal ${id}`} isDrawer onClose={close}>
			<Failed message={failure.value} />
			{entries === undefined ? (
				<Waiting for={failure.value} />
			) : (
				<>
					{pet === undefined ? (
						<p class="notice">
							{entries.length === 0
								? "No animal has this id."
								: "This animal was removed."}
						</p>
					) : (
						<Content {...{ pet, actions, categories, close }} />
					)}
					<History
						entries={entries}
						current={pet}
						categories={categories}
						onPutBack={async (before) => {
							await actions.restore(before);
							close();
						}}
					/>
				</>
			)}
		</Dialog>
	);
}

function Content(props: {
	pet: Pet;
	actions: Actions;
	categories: Categories;
	close: () => void;
}) {
	const { pet, actions, categories, close } = props;
	return (
		<PetForm
			{...{ pet, categories }}
			submit="Save"
			onSave={async (typed, _key, base = pet) => {
				await actions.change(base, toDifference(base, typed));
				close();
			}}
			onCancel={close}
			other={
				<Button
					class="remove"
					aria-label={`Remove ${toPetLabel(pet)}`}
					onClick={() => {
						close();
						void actions.remove(pet);
					}}
				>
					Remove
				</Button>
			}
		/>
	);
}
