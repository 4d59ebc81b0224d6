// listHistory and listPetHistory: a page of the history, of all animals or of one.
import {
	historyAfter,
	historyBy,
	historyLimit,
} from "../../../contract/operator/history.ts";
import { readParameter } from "../../../contract/parameter.ts";
import { authorToJson } from "../../../domain/author.ts";
import { maxInt64 } from "../../../domain/json.ts";
import { noSuchPet, storedPetToJson, toPetId } from "../../../domain/pet.ts";
import { toTimeText } from "../../../domain/time.ts";
import type { Reply } from "../../../http/reply.ts";
import type { Call, Route } from "../../../http/surface.ts";
import type {
	History,
	HistoryEntry,
	HistoryPage,
	HistoryQuery,
} from "../../../store/history.ts";

export function listHistory({ readAll }: History): Route["handle"] {
	return (call) => {
		const by = readParameter(call.query, historyBy);
		return answer(call, (query) => readAll({ ...query, by }));
	};
}

export function listPetHistory({ readOf }: History): Route["handle"] {
	return (call) => {
		const petId = toPetId(call.segment);
		if (petId === undefined) throw noSuchPet();
		return answer(call, (query) => readOf(petId, query));
	};
}

async function answer(
	{ query }: Call,
	read: (query: HistoryQuery) => Promise<HistoryPage | undefined>,
): Promise<Reply> {
	const limit = readParameter(query, historyLimit);
	const after = readParameter(query, historyAfter);
	const maxPosition = after === undefined ? maxInt64 : after - 1n;
	const page = await read({ maxPosition, limit });
	if (page === undefined) throw noSuchPet();
	const next = page.next === undefined ? "" : `,"next":${page.next}`;
	return {
		body: `{"entries":[${page.entries.map(entryToJson).join(",")}]${next}}`,
	};
}

export function entryToJson(entry: HistoryEntry): string {
	const { petId, kind, at, by, before, pet } = entry;
	const members = [
		`"petId":${petId},"kind":"${kind}"`,
		at !== undefined && `"at":"${toTimeText(at)}"`,
		by !== undefined && `"by":${authorToJson(by)}`,
		before !== undefined && `"before":${storedPetToJson(before)}`,
		pet !== undefined && `"pet":${storedPetToJson(pet)}`,
	];
	return `{${members.filter(Boolean).join(",")}}`;
}
