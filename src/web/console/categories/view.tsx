// The names of categories, with their numbers of animals: give one a name, change it, remove it.
import { useSignal } from "@preact/signals";
import { FormDialog } from "../parts/dialog.tsx";
import { Button, Field } from "../parts/fields.tsx";
import { formatCount, isolate } from "../parts/format.ts";
import { Failed, Waiting } from "../parts/poll.tsx";
import { number, Table, unseen } from "../parts/table.tsx";
import type { ConsoleParts } from "../state.ts";
import type { Categories, Category } from "./state.ts";

interface Open {
	readonly kind: "set" | "remove";
	/** Undefined to name a new one. */
	readonly category?: Category;
}

export function CategoriesView({ categories }: ConsoleParts) {
	const { all, failure } = categories;
	const dialog = useSignal<Open | undefined>(undefined);
	const open = (next: Open | undefined) => {
		dialog.value = next;
	};
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Categories</h1>
				<Button onClick={() => open({ kind: "set" })}>Name a category</Button>
			</div>
			<Failed message={failure.value} />
			<Waiting for={all.value ?? failure.value} />
			{all.value?.length === 0 && (
				<div class="empty">
					<h2>No category has a name yet</h2>
					<p>
						Animals have only the number of their category. Name the numbers
						here: the console then shows the names, and finds animals by them.
					</p>
				</div>
			)}
			{all.value && all.value.length > 0 && (
				<Table class="categories" headings={headings}>
					{all.value.map((category) => (
						<CategoryRow
							key={category.id}
							category={category}
							onOpen={(kind) => open({ kind, category })}
						/>
					))}
				</Table>
			)}
			{dialog.value && (
				<CategoryDialog
					{...dialog.value}
					categories={categories}
					onClose={() => open(undefined)}
				/>
			)}
		</>
	);
}

const headings = ["Name", "Category", number("Animals"), unseen("Actions")];

const actions = [
	{ kind: "set", text: "Rename" },
	{ kind: "remove", text: "Remove name" },
] as const;

function CategoryRow(props: {
	category: Category;
	onOpen: (kind: Open["kind"]) => void;
}) {
	const { id, name, pets } = props.category;
	return (
		<tr>
			<th scope="row">
				<a href={`#catalogue?categoryId=${id}`}>
					<bdi>{name}</bdi>
				</a>
			</th>
			<td class="id">{String(id)}</td>
			<td class="number">{pets === undefined ? "–" : formatCount(pets)}</td>
			<td class="actions">
				{actions.map(({ kind, text }) => (
					<Button
						key={kind}
						class="plain"
						aria-label={`${text} ${name}, category ${id}`}
						onClick={() => props.onOpen(kind)}
					>
						{text}
					</Button>
				))}
			</td>
		</tr>
	);
}

interface DialogProps extends Open {
	readonly categories: Categories;
	readonly onClose: () => void;
}

function CategoryDialog({ kind, category, categories, onClose }: DialogProps) {
	const id = useSignal(category === undefined ? "" : String(category.id));
	const name = useSignal(category?.name ?? "");
	const shown = isolate(category?.name ?? "");
	if (kind === "remove")
		return (
			<FormDialog
				title={`Remove the name ${shown}?`}
				submit="Remove name"
				isDangerous
				onClose={onClose}
				onSubmit={() => categories.remove(id.value).then(onClose)}
			>
				<p>
					The animals keep category {id}, and the console shows its number
					again.
				</p>
			</FormDialog>
		);
	return (
		<FormDialog
			title={category ? `Rename ${shown}` : "Name a category"}
			submit="Save"
			onClose={onClose}
			onSubmit={() => categories.set(id.value.trim(), name.value).then(onClose)}
		>
			{category === undefined && (
				<Field
					label="Category"
					hint="The category's number."
					kind="int64"
					value={id}
				/>
			)}
			<Field label="Name" value={name} />
		</FormDialog>
	);
}
