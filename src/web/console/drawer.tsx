// The drawer of one animal beside the catalogue: its content to edit, and its history.
import { useRef } from "preact/hooks";
import { Button, Dialog } from "../ui/dialog.tsx";
import { Form } from "../ui/form.tsx";
import { toPetLabel } from "../ui/format.tsx";
import { Shown, useResource } from "../ui/resource.tsx";
import { typed } from "../ui/typed.ts";
import { change, readPet, remove } from "./changes.tsx";
import { Entries } from "./history.tsx";
import { fromForm, type Pet, toFormFields } from "./pet.tsx";
import { go, place } from "./route.ts";

export function PetDrawer() {
	const id = place.value.query.pet;
	return id === undefined ? null : <Drawer key={id} id={id} />;
}

const close = () => go({ pet: "" });

function Drawer({ id }: { id: string }) {
	const found = useResource((ending) => readPet(id, ending), "", null);
	return (
		<Dialog title={`Animal ${id}`} isDrawer onClose={close}>
			<Shown of={found}>
				{({ pet, entries }) => (
					<>
						{!pet && (
							<p class="notice">
								{entries.length > 0
									? "This animal was removed."
									: "No animal has this id."}
							</p>
						)}
						<Edit pet={pet} />
						<section class="history">
							<h3>History</h3>
							{entries.length === 0 && <p class="soft">No history.</p>}
							<Entries entries={entries} current={pet} onPutBack={close} />
						</section>
					</>
				)}
			</Shown>
		</Dialog>
	);
}

/** Follows the animal until somebody types. Then it stays, even if somebody else removes the animal. */
function Edit({ pet }: { pet: Pet | undefined }) {
	const edited = useRef(pet);
	if (!typed.value.has("drawer")) edited.current = pet ?? edited.current;
	const base = edited.current;
	return (
		base && (
			<Form
				key={base.version}
				place="drawer"
				submit="Save"
				fields={toFormFields(base)}
				onClose={close}
				run={(values) => change(base, fromForm(values, base), close)}
				other={
					<Button
						class="remove"
						aria-label={`Remove ${toPetLabel(base)}`}
						onClick={async () => {
							if (await remove(base)) close();
						}}
					>
						Remove
					</Button>
				}
			/>
		)
	);
}
