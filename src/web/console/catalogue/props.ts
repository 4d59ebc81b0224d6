// The props of the catalogue views.
import type { Pets } from "../api/pets.ts";
import type { Categories } from "../categories/state.ts";
import type { Downloads } from "../parts/download.tsx";
import type { Place } from "../route.ts";
import type { Actions } from "./actions.ts";
import type { createBulk } from "./bulk.ts";
import type { createFollower } from "./follow.ts";
import type { PetList } from "./list.ts";

export interface CatalogueProps extends Downloads {
	readonly pets: Pets;
	readonly place: Place;
	readonly categories: Categories;
	readonly list: PetList;
	readonly actions: Actions;
	readonly bulk: ReturnType<typeof createBulk>;
	readonly follower: ReturnType<typeof createFollower>;
}
