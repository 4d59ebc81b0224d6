// An animal in the console: its form, what was typed there, and its values as texts. All of it follows from the record of its fields.
import type { ReceivedStoredPet } from "../../domain/pet/pet.ts";
import { isVisible } from "../../domain/text.ts";
import {
	type FieldProps,
	type Fields,
	int64,
	type Values,
} from "../ui/field.tsx";
import { formatDate, formatTime, isolate, PetName } from "../ui/format.tsx";
import { createCategory, toCategoryId, toCategoryName } from "./categories.tsx";
import { readFacts } from "./facts.ts" with { type: "macro" };

export type Pet = ReceivedStoredPet;
/** A member that stays is missing. One that is cleared is null. */
export type Patch = Readonly<Record<string, bigint | string | null>>;

export const { petFields, petStatuses } = readFacts();
type PetField = (typeof petFields)[number];
/** Those that people give. */
const givenFields = petFields.filter(({ isGiven }) => isGiven);

/** The fields whose values the console shows and takes in its own way. */
const special: {
	readonly [Name in keyof Pet]?: {
		toText(value: unknown): string;
		/** Undefined if the text is wrong. */
		fromText(text: string): string | undefined;
		readonly field: Partial<FieldProps>;
	};
} = {
	categoryId: {
		toText: (id) => toCategoryName(String(id)),
		fromText: toCategoryId,
		field: {
			stays: true,
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
export function toText(pet: Pet, { name }: PetField): string {
	const value = pet[name];
	if (value === undefined) return "";
	return special[name]?.toText(value) ?? String(value);
}

/** As tables show it. */
export function Value({ pet, field }: { pet: Pet; field: PetField }) {
	const value = pet[field.name];
	if (value === undefined) return null;
	const text = toText(pet, field);
	if (field.format === "date-time")
		return <time title={formatTime(text)}>{formatDate(text)}</time>;
	// Only texts that somebody has typed can be invisible.
	return typeof value === "string" && !field.choices ? (
		<PetName name={text} />
	) : (
		<bdi>{text}</bdi>
	);
}

/** The fields of a form, with the values of an animal or those of a new one. */
export function toFormFields(pet?: Pet, typed?: Values): Fields {
	return Object.fromEntries(
		givenFields.map((field) => {
			const { name, title, hint, fallback, isOptional, choices } = field;
			const own = special[name]?.field;
			const value = pet ? toText(pet, field) : (typed?.[name] ?? fallback);
			const props: FieldProps = {
				label: title,
				hint,
				value,
				options: choices?.map((one) => [one, one] as const),
				...own,
				input: {
					// The interface allows an empty name. The console does not add one, but it can edit the animal.
					required: !isOptional && !(pet && value === ""),
					...(field.format === "date" && { type: "date" }),
					...(field.type === "integer" && !own && int64),
					...own?.input,
				},
			};
			return [name, props];
		}),
	);
}

/** The members that were typed: all of a new animal, or those that differ from `before`. The service checks them. */
export function fromForm(typed: Values, before?: Pet): Patch {
	const patch: Record<string, bigint | string | null> = {};
	for (const field of givenFields) {
		const { name, type, isOptional } = field;
		const text = typed[name];
		// The form has no field for it.
		if (text === undefined) continue;
		// A field of one line drops line breaks, which is no edit.
		if (before && text === toText(before, field).replace(/[\r\n]/g, ""))
			continue;
		const plain = special[name]?.fromText(text) ?? text;
		const isWhole = type === "integer" && /^\s*-?\d+\s*$/.test(plain);
		if (text !== "" || !isOptional)
			patch[name] = isWhole ? BigInt(plain) : plain;
		else if (before) patch[name] = null;
	}
	if (
		typeof patch.name === "string" &&
		!isVisible(patch.name) &&
		!confirm("Nothing can be seen of this name. Save it all the same?")
	)
		throw new Error("Not saved: the name has nothing that can be seen.");
	return patch;
}

function toChangedFields(one: Pet, other: Pet): readonly PetField[] {
	return givenFields.filter(({ name }) => one[name] !== other[name]);
}

export function isSame(one: Pet, other: Pet | undefined): boolean {
	return other !== undefined && toChangedFields(one, other).length === 0;
}

/** What an edit did to an animal. */
export function Differences({ before, after }: { before: Pet; after: Pet }) {
	return (
		<dl class="differences">
			{toChangedFields(before, after).map((field) => (
				<div key={field.name}>
					<dt>{field.title}</dt>
					<dd>
						<del>
							<Value pet={before} field={field} />
						</del>{" "}
						→{" "}
						<ins>
							<Value pet={after} field={field} />
						</ins>
					</dd>
				</div>
			))}
		</dl>
	);
}
