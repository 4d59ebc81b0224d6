// The operations on keys: list, make, rename, revoke, rotate.
import { generateKey } from "../../contract/api-key.ts";
import type { Failure } from "../../contract/errors.ts";
import { httpStatus } from "../../contract/operation.ts";
import type { keys as keysPart } from "../../contract/operator/keys/operations.ts";
import {
	noSuchKey,
	refuseRotation,
} from "../../contract/operator/keys/refusal.ts";
import type { Route } from "../../http/surface.ts";
import type { Keys, RotationRefusal } from "../../store/keys.ts";
import { notStored } from "../headers.ts";
import { readName, readNewKey, readOverlap } from "./body.ts";
import { toKeyId, toKeyView } from "./reply.ts";

type KeyOperationId = keyof typeof keysPart.operations;

export function createKeyHandlers(
	keys: Keys,
): Readonly<Record<KeyOperationId, Route["handle"]>> {
	return {
		async listKeys({ headers }) {
			const listed = (await keys.list()).map(toKeyView);
			const body = JSON.stringify({ keys: listed });
			return { status: httpStatus.ok, headers, body };
		},

		async createKey({ request, headers }) {
			const createdAt = Date.now();
			const given = await readNewKey(request, createdAt);
			const { key, hash, prefix } = generateKey();
			const made = await keys.add({ ...given, hash, prefix, createdAt });
			const body = JSON.stringify({ ...toKeyView(made), key });
			return { status: httpStatus.created, headers, own: notStored, body };
		},

		async renameKey({ request, headers, segment }) {
			const id = toKeyId(segment);
			const renamed = await keys.rename(id, await readName(request));
			if (renamed === undefined) throw noSuchKey();
			const body = JSON.stringify(toKeyView(renamed));
			return { status: httpStatus.ok, headers, body };
		},

		async revokeKey({ headers, segment }) {
			const revoked = await keys.revoke(toKeyId(segment), Date.now());
			if (revoked === undefined) throw noSuchKey();
			return { status: httpStatus.noContent, headers };
		},

		async rotateKey({ request, headers, segment }) {
			const id = toKeyId(segment);
			const overlapMs = await readOverlap(request);
			const { key, hash, prefix } = generateKey();
			const secret = { hash, prefix, at: Date.now(), overlapMs };
			const rotation = await keys.rotate(id, secret);
			if (rotation.outcome !== "rotated") throw refuse(rotation.outcome);
			const body = JSON.stringify({ ...toKeyView(rotation.key), key });
			return { status: httpStatus.created, headers, own: notStored, body };
		},
	};
}

function refuse(outcome: RotationRefusal): Failure {
	return outcome === "missing" ? noSuchKey() : refuseRotation(outcome);
}
