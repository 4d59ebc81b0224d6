// An animal in the console: its form, what was typed there, and its values as texts. All of it follows from the record of its fields.
import {
	fields,
	givenNames,
	type PetPatch,
	type ReceivedStoredPet,
	toPatch,
} from "../../domain/pet.ts";
import {
	type FieldProps,
	type Fields,
	int64,
	type Values,
} from "../ui/form.tsx";
import { formatDate, formatTime, isolate, PetName } from "../ui/format.tsx";
import { createCategory, toCategoryId, toCategoryName } from "./categories.tsx";

export type Pet = ReceivedStoredPet;
type Name = keyof Pet;
type GivenName = (typeof givenNames)[number];

export const petNames = Object.keys(fields) as readonly Name[];

/** The fields whose values the console shows and takes in its own way. */
const special: {
	readonly [Of in Name]?: {
		toText(value: Pet[Name]): string;
		/** Undefined if the text is wrong. */
		fromText(text: string): string | undefined;
		readonly field: Partial<FieldProps>;
	};
} = {
	categoryId: {
		toText: (id) => toCategoryName(String(id)),
		fromText: toCategoryId,
		field: {
			hint: "Its name. Of one without a name, its number.",
			input: { list: "categories" },
			check: (text) =>
				toCategoryId(text) === undefined
					? `No category is named “${isolate(text)}”. Choose one, or create it.`
					: "",
			make: createCategory,
		},
	},
};

/** Empty if it is absent. */
export function toText(pet: Pet, name: Name): string {
	const value = pet[name];
	if (value === undefined) return "";
	return special[name]?.toText(value) ?? String(value);
}

/** As tables show it. */
export function Value({ pet, name }: { pet: Pet; name: Name }) {
	if (pet[name] === undefined) return null;
	const text = toText(pet, name);
	const { format, enum: values } = fields[name].type.schema;
	if (format === "date-time")
		return <time title={formatTime(text)}>{formatDate(text)}</time>;
	// Only texts that somebody has typed can be invisible.
	return typeof pet[name] === "string" && !values ? (
		<PetName name={text} />
	) : (
		<bdi>{text}</bdi>
	);
}

/** The fields of a form, with the values of an animal or those of a new one. */
export function toFormFields(pet?: Pet, typed?: Values): Fields {
	return Object.fromEntries(
		givenNames.map((name) => {
			const { title, hint, fallback = "", isOptional } = fields[name];
			const { schema } = fields[name].type;
			const own = special[name]?.field;
			const value = pet
				? toText(pet, name)
				: (typed?.[name] ?? String(fallback));
			const field: FieldProps = {
				label: title,
				hint,
				value,
				options: schema.enum?.map((one) => [one, one] as const),
				...own,
				input: {
					// The interface allows an empty name. The console does not add one, but it can edit the animal.
					required: !isOptional && !(pet && value === ""),
					...(schema.format === "date" && { type: "date" }),
					...(schema.type === "integer" && !own && int64),
					...own?.input,
				},
			};
			return [name, field];
		}),
	);
}

/** The members that were typed: all of a new animal, or those that differ from `before`. Throws if one is wrong. */
export function fromForm(typed: Values, before?: Pet): PetPatch {
	const broken: string[] = [];
	const patch = toPatch((name) => {
		const text = typed[name];
		// The form has no field for it.
		if (text === undefined) return undefined;
		// A field of one line drops line breaks, which is no edit.
		if (before && text === toText(before, name).replace(/[\r\n]/g, ""))
			return undefined;
		const { type, title, isOptional } = fields[name];
		if (text === "" && isOptional) return before && null;
		const own = special[name];
		const plain = own ? (own.fromText(text) ?? text) : text;
		return type.read(type.fromText(plain), title, broken);
	});
	if (broken.length > 0) throw new Error(broken.join(" "));
	return patch;
}

/** What an edit did to an animal, by field. */
export function toChangedNames(one: Pet, other: Pet): readonly GivenName[] {
	return givenNames.filter((name) => one[name] !== other[name]);
}

export function isSame(one: Pet, other: Pet | undefined): boolean {
	return other !== undefined && toChangedNames(one, other).length === 0;
}

export const toFieldTitle = (name: Name) => fields[name].title;
