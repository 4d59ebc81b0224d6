// The names of categories, with their numbers of animals: give one a name, change it, remove it.
import { useSignal } from "@preact/signals";
import type { Category } from "../api/categories.ts";
import { FormDialog } from "../parts/dialog.tsx";
import { Button, Field } from "../parts/fields.tsx";
import { formatCount, isolate } from "../parts/format.ts";
import { Failed, Waiting } from "../parts/poll.tsx";
import { number, Table, unseen } from "../parts/table.tsx";
import type { Categories } from "./state.ts";

export function CategoriesView({ categories }: { categories: Categories }) {
	const { all, failure, dialog } = categories;
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Categories</h1>
				<Button
					onClick={() => {
						dialog.value = { kind: "set", category: undefined };
					}}
				>
					Name a category
				</Button>
			</div>
			<Failed message={failure.value} />
			<Waiting for={all.value ?? failure.value} />
			{all.value?.length === 0 && (
				<div class="empty">
					<h2>No category has a name</h2>
					<p>
						Animals have the number of a category. Give a number a name: the
						console then shows the name instead, and finds animals by it.
					</p>
				</div>
			)}
			{all.value && all.value.length > 0 && (
				<Table class="categories" headings={headings}>
					{all.value.map((category) => (
						<CategoryRow
							key={category.id}
							category={category}
							dialog={dialog}
						/>
					))}
				</Table>
			)}
			<CategoryDialog categories={categories} />
		</>
	);
}

const headings = [
	...["Name", "Category"],
	number("Animals"),
	unseen("Actions"),
];

interface RowProps {
	readonly category: Category;
	readonly dialog: Categories["dialog"];
}

function CategoryRow({ category, dialog }: RowProps) {
	const { id, name, pets } = category;
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
						onClick={() => {
							dialog.value = { kind, category };
						}}
					>
						{text}
					</Button>
				))}
			</td>
		</tr>
	);
}

const actions = [
	{ kind: "set", text: "Rename" },
	{ kind: "remove", text: "Remove" },
] as const;

function CategoryDialog({ categories }: { categories: Categories }) {
	const open = categories.dialog.value;
	if (open === undefined) return null;
	const close = () => {
		categories.dialog.value = undefined;
	};
	if (open.kind === "set")
		return <SetName {...{ categories, close }} category={open.category} />;
	const { id, name } = open.category;
	return (
		<FormDialog
			title={`Remove the name ${isolate(name)}?`}
			submit="Remove"
			isDangerous
			onClose={close}
			onSubmit={() => categories.remove(id)}
		>
			<p>
				The animals keep category {String(id)}, and the console shows its number
				again.
			</p>
		</FormDialog>
	);
}

interface SetProps {
	readonly categories: Categories;
	/** Undefined to name one that has no name. */
	readonly category: Category | undefined;
	readonly close: () => void;
}

function SetName({ categories, category, close }: SetProps) {
	const id = useSignal(category === undefined ? "" : String(category.id));
	const name = useSignal(category?.name ?? "");
	return (
		<FormDialog
			title={category ? `Rename ${isolate(category.name)}` : "Name a category"}
			submit="Save"
			onClose={close}
			onSubmit={() => categories.set(id.value.trim(), name.value)}
		>
			{category === undefined && (
				<Field
					label="Category"
					hint="The number that the animals have."
					kind="int64"
					value={id}
				/>
			)}
			<Field label="Name" value={name} />
		</FormDialog>
	);
}
