// An animal as clients send and get it.
import { maxPageSize } from "../domain/cursor.ts";
import { petStatus } from "../domain/filter.ts";
import { defaultPetStatus, maxNameLength } from "../domain/pet.ts";
import {
	int64,
	list,
	object,
	optional,
	text,
	withDescription,
	withTitle,
} from "../domain/type.ts";

const name = text(
	`The animal's name: any text of at most ${maxNameLength} characters without U+0000 and lone surrogates, kept to the code point.`,
	maxNameLength,
);

const categoryId = int64("Id of the category the animal belongs to.");

export const NewPet = object("NewPet", "An animal to add.", {
	name,
	categoryId,
	status: optional(
		withDescription(
			petStatus,
			`Availability status; \`${defaultPetStatus}\` when omitted.`,
		),
	),
});

export const Pet = object("Pet", "An animal of the catalogue.", {
	id: int64("Unique identifier assigned by the service on creation."),
	name,
	categoryId,
	status: withDescription(
		petStatus,
		"Availability status. The interface document does not require it in a reply; this service always sends it.",
	),
});

export const Pets = withTitle(
	list(Pet, maxPageSize),
	"Pets",
	"Animals, newest first.",
);

/** Examples. */
export const rex = { name: "Rex", categoryId: 1 };
export const addedRex = { id: 1, ...rex, status: "available" };
export const addedTom = {
	id: 2,
	name: "Tom",
	categoryId: 2,
	status: "pending",
};
