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
import type { ReplyMemory } from "../../../http/reply-memory.ts";
import type { Call, Route } from "../../../http/surface.ts";
import {
	type History,
	type HistoryEntry,
	type HistoryPage,
	type HistoryQuery,
	historyPageBytes,
} from "../../../store/history.ts";

export function listHistory(
	{ readAll }: History,
	memory: ReplyMemory,
): Route["handle"] {
	return (call) => {
		const by = readParameter(call.query, historyBy);
		return answer(call, memory, (query) => readAll({ ...query, by }));
	};
}

export function listPetHistory(
	{ readOf }: History,
	memory: ReplyMemory,
): Route["handle"] {
	return (call) => {
		const petId = toPetId(call.segment);
		if (petId === undefined) throw noSuchPet();
		return answer(call, memory, (query) => readOf(petId, query));
	};
}

async function answer(
	{ query, identity }: Call,
	memory: ReplyMemory,
	read: (query: HistoryQuery) => Promise<HistoryPage | undefined>,
): Promise<Reply> {
	const limit = readParameter(query, historyLimit);
	const after = readParameter(query, historyAfter);
	const maxPosition = after === undefined ? maxInt64 : after - 1n;
	const claim = memory.open(identity.keyHash);
	try {
		claim.take(historyPageBytes);
		const page = await read({ maxPosition, limit });
		if (page === undefined) throw noSuchPet();
		const next = page.next === undefined ? "" : `,"next":${page.next}`;
		const body = `{"entries":[${page.entries.map(entryToJson).join(",")}]${next}}`;
		return { body, claim };
	} catch (error) {
		claim.end();
		throw error;
	}
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
