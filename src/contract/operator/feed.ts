// The feed of changes in the operator interface: what was added, changed and removed since a position.
import { Failure } from "../../domain/errors.ts";
import { type Part, toOperation } from "../operation.ts";
import { invalid, limitOf, type Parameter } from "../parameter.ts";
import { flag, list, object, ref, whole64 } from "../schemas.ts";

const rex = {
	id: 1,
	name: "Rex",
	categoryId: 1,
	status: "available",
	version: 1,
	addedAt: "2026-11-16T08:00:00.000Z",
	addedBy: 1,
};

/** A position can exceed int64: JSON has no limit for integers. */
const position = {
	type: "integer",
	minimum: 0,
	exclusiveMaximum: 1e40,
} as const;

export const feedAfter: Parameter<bigint | "now"> = {
	name: "after",
	description:
		"Where to continue: the `next` of an earlier reply, or the `position` of a change. 0 reads all animals; `now` only later changes.",
	schema: { oneOf: [position, { type: "string", const: "now" }], default: 0 },
	example: 0,
	read(text = "0") {
		if (text === "now") return text;
		if (/^(0|[1-9][0-9]{0,39})$/.test(text)) return BigInt(text);
		throw invalid(
			"after",
			"must be a plain whole number from 0, of at most 40 digits",
		);
	},
};

const maxListed = 1_000;

export const feedLimit = limitOf(
	"Maximum number of changes returned; `more` says whether others follow.",
	{ maximum: maxListed, value: 100, example: 100 },
);

export function positionIsGone(): Failure {
	return new Failure(
		"gone",
		"after is a position of another database, or of this one before it was restored. Read again from after=0.",
	);
}

const pet = { ...rex, status: "sold", version: 3 };
const added = { position: 4294967297, kind: "added", petId: 1, pet };
const removed = { position: 4294967300, kind: "removed", petId: 2 };
const changed = { position: 4294967299, kind: "changed", petId: 1, pet };

export const feed = {
	tags: { changes: "What was added, changed and removed." },
	operations: {
		listChanges: toOperation({
			path: "/changes",
			scope: "read",
			tag: "changes",
			summary: "List the changes of the catalogue",
			description:
				"The animals that were added, changed and removed since a position, each as it is now. Apply them in their order to get the catalogue.",
			query: [feedAfter, feedLimit],
			success: {
				description: "The changes.",
				body: "Changes",
				example: {
					changes: [added, changed, removed],
					next: 4294967300,
					more: false,
				},
			},
			errors: ["invalid_parameter", "forbidden", "gone"],
		}),
	},
	schemas: {
		Change: object(
			"An animal that was added, changed or removed. Only the last change of an animal is kept.",
			{
				position: {
					...position,
					description: "Rises from one change to the next, with gaps.",
				},
				kind: { type: "string", enum: ["added", "changed", "removed"] },
				petId: whole64("The id of the animal."),
			},
			{ pet: ref("Pet", "The animal as it is now. Absent if it was removed.") },
		),
		Changes: object("Changes in the order of their positions.", {
			changes: list("Change", maxListed),
			next: {
				...position,
				description: "Where to continue, even after a reply without changes.",
			},
			more: flag("Whether more changes can be read now."),
		}),
	},
} satisfies Part;
