// The feed: what was added, changed and removed since a position.

import { Failure } from "../domain/errors.ts";
import { changeKinds } from "../domain/pet/change-kinds.ts";
import { limitOf } from "../domain/pet/cursor.ts";
import { storedPetType } from "../domain/pet/pet-types.ts";
import { list, object } from "../domain/types/object.ts";
import { flag, int64, natural, oneOf } from "../domain/types/scalar.ts";
import {
	either,
	optional,
	withDescription,
	withExample,
} from "../domain/types/type.ts";
import { inTime, type OperatorResource, operation } from "./operation.ts";

const maxListed = 1_000;
/** Of a change as JSON: a name of 255 characters takes up to 1,530. */
const maxChangeBytes = 2_000;

const Change = object("Change", "The last change of an animal.", {
	position: natural("Rises from one change to the next, with gaps."),
	kind: oneOf("", changeKinds),
	petId: int64("The id of the animal."),
	pet: optional(withDescription(storedPetType, "Absent if it was removed.")),
});

const listChanges = operation({
	method: "GET",
	path: "/changes",
	scope: "read",
	summary: "List the changes of the catalogue",
	description:
		"The animals that were added, changed and removed since a position, each as it is now. Apply them in their order to get the catalogue.",
	query: {
		after: withExample(
			optional(
				either(
					natural(
						"Where to continue: the `next` of an earlier reply, or the `position` of a change. 0, the default, reads all animals; `now` only later changes.",
					),
					oneOf("", ["now"]),
					(value) => value === "now",
					"now",
				),
			),
			0,
		),
		limit: limitOf("changes", maxListed, 100),
	},
	reply: object("Changes", "Changes in the order of their positions.", {
		changes: list(Change, maxListed),
		next: natural("Where to continue, even after a reply without changes."),
		more: flag("Whether more changes can be read now."),
	}),
	errors: ["forbidden", "gone"],
	async handle({ after = 0n, limit }, { store: { feed }, running }) {
		// Refused before its work: a page of a thousand takes as long as many lists.
		running?.unsent.requireRoom(limit * maxChangeBytes);
		const start = after === "now" ? await inTime(feed.last()) : after;
		const page = await inTime(feed.read({ after: start, limit }));
		if (page === "gone")
			throw new Failure(
				"gone",
				"after is a position of another database, or of this one before it was restored. Read again from after=0.",
			);
		const { entries: changes, next, more } = page;
		return { changes, next, more };
	},
});

export const changes: OperatorResource = {
	tag: "changes",
	description: "What was added, changed and removed.",
	operations: { listChanges },
};
