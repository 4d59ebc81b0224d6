// The names of categories: the console shows them instead of the ids, and takes either. The view names, renames and removes them.
import { computed, signal } from "@preact/signals";
import { get, send } from "../ui/api.ts";
import { Button } from "../ui/dialog.tsx";
import { Actions, type Asked, ask, int64 } from "../ui/form.tsx";
import { formatCount, isolate } from "../ui/format.tsx";
import { reload, Shown, useResource } from "../ui/resource.tsx";
import { type Column, Table } from "../ui/table.tsx";

interface Category {
	readonly id: bigint;
	readonly name: string;
	/** Absent if counting takes too long. */
	readonly pets?: bigint;
}

const categories = signal<readonly Category[]>([]);
const names = computed(
	() => new Map(categories.value.map(({ id, name }) => [String(id), name])),
);

/** All views show names, so the frame of the console reads them. */
export function useCategories() {
	return useResource(async (ending) => {
		const reply = await get<{ categories: readonly Partial<Category>[] }>(
			"/categories?limit=1000",
			ending,
		);
		const named = reply.categories.filter(
			(one): one is Category => one.name !== undefined,
		);
		categories.value = named;
		return named;
	});
}

/** Its digits if it has no name. */
export function toCategoryName(id: bigint | string): string {
	return names.value.get(String(id)) ?? String(id);
}

/** The digits of the category with this name or number; undefined if the text is neither. */
export function toCategoryId(text: string): string | undefined {
	const typed = text.trim();
	// Ignores case, like the service.
	const named = categories.value.find(
		({ name }) => name.toLowerCase() === typed.toLowerCase(),
	);
	if (named !== undefined) return String(named.id);
	return /^-?\d{1,19}$/.test(typed) ? String(BigInt(typed)) : undefined;
}

/** For inputs with `list="categories"`. */
export function CategoryNames() {
	return (
		<datalist id="categories">
			{categories.value.map(({ id, name }) => (
				<option key={id} value={name}>
					{String(id)}
				</option>
			))}
		</datalist>
	);
}

export function CategoriesView() {
	const all = useCategories();
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Categories</h1>
				<Button onClick={() => ask(naming)}>Name a category</Button>
			</div>
			<Shown of={all}>
				{(rows) =>
					rows.length > 0 ? (
						<Table
							class="categories"
							rows={rows}
							columns={columns}
							toKey={({ id }) => id}
						/>
					) : (
						<div class="empty">
							<h2>No category has a name yet</h2>
							<p>
								Animals have only the number of their category. Name the numbers
								here: the console then shows the names, and finds animals by
								them.
							</p>
						</div>
					)
				}
			</Shown>
		</>
	);
}

const columns: readonly Column<Category>[] = [
	{
		title: "Name",
		kind: "head",
		cell: ({ id, name }) => (
			<a href={`#catalogue?categoryId=${id}`}>
				<bdi>{name}</bdi>
			</a>
		),
	},
	{ title: "Category", cell: ({ id }) => String(id) },
	{
		title: "Animals",
		kind: "number",
		cell: ({ pets }) => (pets === undefined ? "–" : formatCount(pets)),
	},
	{
		title: "Actions",
		kind: "actions",
		cell: (category) => (
			<Actions
				of={`${category.name}, category ${category.id}`}
				forms={[toRenaming(category), toRemoving(category)]}
			/>
		),
	},
];

const naming: Asked = {
	title: "Name a category",
	submit: "Save",
	fields: {
		id: { label: "Category", hint: "The category's number.", input: int64 },
		name: { label: "Name" },
	},
	run: ({ id = "", name }) => put(id.trim(), name),
};

const toRenaming = ({ id, name }: Category): Asked => ({
	title: `Rename ${isolate(name)}`,
	submit: "Rename",
	fields: { name: { label: "Name", value: name } },
	run: (typed) => put(String(id), typed.name),
});

const toRemoving = ({ id, name }: Category): Asked => ({
	title: `Remove the name ${isolate(name)}?`,
	submit: "Remove name",
	isDangerous: true,
	children: (
		<p>
			The animals keep category {String(id)}, and the console shows its number
			again.
		</p>
	),
	run: () => send("DELETE", `/categories/${id}`).then(reload),
});

function put(id: string, name: string | undefined): Promise<void> {
	return send("PUT", `/categories/${id}`, { body: { name } }).then(reload);
}
