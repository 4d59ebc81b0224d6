// countPets: the number of all animals, or of a status or category.
import { readFilter } from "../../../contract/filter.ts";
import { counted } from "../../../contract/operator/pets/operations.ts";
import type { Route } from "../../../http/surface.ts";
import { toJsonReply } from "../replies.ts";
import type { Counts } from "./counts.ts";

export function countPets({ count }: Counts): Route["handle"] {
	return async ({ query, headers }) => {
		const { pets, isComplete } = await count(readFilter(query, counted));
		return toJsonReply(headers, {
			pets,
			...(!isComplete && { atLeast: true }),
		});
	};
}
