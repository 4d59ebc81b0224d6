// changePets: many changes and removals in one transaction.

import { httpStatus } from "../../contract/operation.ts";
import {
	refuseEntry,
	toPetChanges,
} from "../../contract/operator/pets/changes.ts";
import { toChangeFailure } from "../../contract/retry.ts";
import { readJsonBody } from "../../http/body.ts";
import type { Route } from "../../http/surface.ts";
import { maxBatchBodyBytes } from "../../limits.ts";
import type { Catalogue } from "../../store/catalogue.ts";

export function changePets(catalogue: Catalogue): Route["handle"] {
	return async ({ request, headers }) => {
		const asked = toPetChanges(await readJsonBody(request, maxBatchBodyBytes));
		const done = await catalogue.changePets(asked).catch((error) => {
			throw toChangeFailure(error, "batch");
		});
		if (done.outcome !== "changed")
			throw refuseEntry(done, asked[done.index]?.petId);
		const versions = done.pets.map((pet) => pet?.version ?? 0n);
		const removed = asked.filter(({ set }) => set === undefined).length;
		return {
			status: httpStatus.ok,
			headers,
			body: `{"changed":${asked.length - removed},"removed":${removed},"versions":[${versions.join(",")}]}`,
		};
	};
}
