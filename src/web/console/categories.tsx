// The categories: the console shows their names instead of their ids, and takes either. The view makes, names and renames them.
import { signal } from "@preact/signals";
import { toCountText } from "../../domain/quantity.ts";
import type { Category } from "../../interface/replies.ts";
import { getAll, send } from "../ui/api.ts";
import { int64 } from "../ui/field.tsx";
import { Actions, type Asked } from "../ui/form.tsx";
import { isolate } from "../ui/format.tsx";
import { useResource } from "../ui/resource.tsx";
import { type Column, List } from "../ui/table.tsx";

/** By their digits. */
const categories = signal<ReadonlyMap<string, Category>>(new Map());
const toEntry = (one: Category) => [String(one.id), one] as const;

function useCategories() {
	return useResource(async (ending) => {
		const all = await getAll<Category>("categories", 1000, ending);
		categories.value = new Map(all.map(toEntry));
		return all;
	});
}

/** Its digits if it has no name. */
export function toCategoryName(id: bigint | string): string {
	return categories.value.get(String(id))?.name ?? String(id);
}

/** The digits of the category with this name or number; undefined if the text is neither. */
export function toCategoryId(text: string): string | undefined {
	const typed = text.trim();
	// Ignores case, like the service.
	const named = categories.value
		.values()
		.find(({ name }) => name?.toLowerCase() === typed.toLowerCase());
	if (named !== undefined) return String(named.id);
	return /^-?\d{1,19}$/.test(typed) ? String(BigInt(typed)) : undefined;
}

/** The service chooses its number. */
export async function createCategory(name?: string): Promise<void> {
	const made = await send<Category>("POST", "/categories", { body: { name } });
	categories.value = new Map([...categories.value, toEntry(made)]);
}

/** All, and the one that is chosen even if it has no animals. */
export function toCategoryOptions(chosen: string) {
	const ids = new Set([...categories.value.keys(), chosen]);
	ids.delete("");
	return [...ids].map((id) => [id, toCategoryName(id)] as const);
}

/** For inputs with `list="categories"`. All views show names, so they are read here, but for the view that reads them itself. */
export function CategoryNames() {
	useCategories();
	return (
		<datalist id="categories">
			{toCategoryOptions("").map(([id, name]) => (
				<option key={id} value={name} />
			))}
		</datalist>
	);
}

export function CategoriesView() {
	return (
		<List
			of={useCategories()}
			class="categories"
			columns={columns}
			toKey={({ id }) => id}
			empty={[
				"No categories yet",
				"Make one here, then choose it for animals. A number that animals already have appears here too, and can be named.",
			]}
		/>
	);
}

const columns: readonly Column<Category>[] = [
	{
		title: "Category",
		kind: "name",
		cell: ({ id, name }) => (
			<a href={`#catalogue?categoryId=${id}`}>
				<bdi>{name ?? `Category ${id}`}</bdi>
			</a>
		),
	},
	{ title: "Animals", kind: "number", cell: ({ pets }) => toCountText(pets) },
	{
		title: "Actions",
		kind: "actions",
		cell: (category) => (
			<Actions
				of={category.name ?? `category ${category.id}`}
				forms={[
					toNaming(category),
					...(category.name === undefined ? [] : [toRemoving(category)]),
				]}
			/>
		),
	},
];

export const makingCategory: Asked = {
	title: "Make a category",
	submit: "Make",
	fields: {
		name: { label: "Name" },
		id: {
			label: "Number",
			hint: "Only if programs already use a number for it.",
			input: { ...int64, required: false },
		},
	},
	async run({ name, id: typed = "" }) {
		const id = typed.trim();
		const current = categories.value.get(id && String(BigInt(id)))?.name;
		if (current !== undefined)
			throw new Error(
				`Category ${id} has the name “${isolate(current)}”. Rename it instead.`,
			);
		await (id === "" ? createCategory(name) : rename(id, name));
	},
};

const toNaming = ({ id, name }: Category): Asked => ({
	title: name ? `Rename ${isolate(name)}` : `Name category ${id}`,
	submit: name ? "Rename" : "Name",
	fields: { name: { label: "Name", value: name } },
	run: (typed) => rename(String(id), typed.name),
});

const toRemoving = ({ id, name = "", pets }: Category): Asked => ({
	title: `Remove the name ${isolate(name)}?`,
	submit: "Remove name",
	isDangerous: true,
	text:
		pets > 0n
			? `Its animals stay in category ${id}, and the console shows this number again.`
			: "It has no animals, so it leaves this list.",
	run: () => send("DELETE", `/categories/${id}`),
});

function rename(id: string, name: string | undefined): Promise<unknown> {
	return send("PUT", `/categories/${id}`, { body: { name } });
}
