// The examples of keys and of their errors.
import { toErrorBody } from "../../errors.ts";
import { anyBody, anyRead } from "../../examples.ts";
import { forbidden } from "../any-operation.ts";
import { noSuchKey } from "./refusal.ts";

const noExpiry = {
	id: 1,
	name: "partner",
	prefix: "pet_4fZ9",
	scope: "read-write",
	createdAt: "2026-11-16T08:00:00.000Z",
};

/** So far away that the example of a request stays valid. */
const expiresAt = "2099-12-31T00:00:00.000Z";

export const partner = {
	...noExpiry,
	expiresAt,
	lastUsedAt: "2026-11-16T09:30:00.000Z",
};
export const renamed = { ...partner, name: "partner in Rome" };
export const made = {
	...noExpiry,
	expiresAt,
	key: "pet_4fZ9b6bLr2QwEo7TnUaKc3XvHyM1sDgJ0Pqk3NcVm",
};
export const rotated = {
	...partner,
	prefix: "pet_9sLm",
	key: "pet_9sLmX2vBn7CqRt5YwZk8HjDf3GpA6EuT1oIiW4Nzc",
};

export const anyKeyError = { ...anyRead, forbidden };

export const noKey = {
	not_found: {
		noKeyWithId: toErrorBody(noSuchKey()),
	},
};

export const anyKeyBody = { ...anyKeyError, ...anyBody };
