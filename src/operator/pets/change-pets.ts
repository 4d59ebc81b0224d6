// changePets: many changes and removals in one transaction.
import { refuseEntry } from "../../contract/change-refusal.ts";
import { httpStatus } from "../../contract/operation.ts";
import { toPetChanges } from "../../contract/pet-changes.ts";
import { readJsonBody } from "../../http/body.ts";
import type { Route } from "../../http/surface.ts";
import { maxBatchBodyBytes } from "../../limits.ts";
import type { Catalogue } from "../../store/catalogue.ts";
import { applyChanges } from "./apply-changes.ts";

export function changePets(catalogue: Catalogue): Route["handle"] {
	return async ({ request, headers }) => {
		const asked = toPetChanges(await readJsonBody(request, maxBatchBodyBytes));
		const done = await applyChanges(catalogue, asked, "batch");
		if (done.outcome !== "changed") {
			const { outcome, index } = done;
			throw refuseEntry(outcome, index, asked[index]?.petId);
		}
		const removed = asked.filter(({ set }) => set === undefined).length;
		return {
			status: httpStatus.ok,
			headers,
			body: JSON.stringify({ changed: asked.length - removed, removed }),
		};
	};
}
