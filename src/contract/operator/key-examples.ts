// The examples of keys and of their errors.
import { toErrorBody } from "../errors.ts";
import { anyBody, anyRead, error, notJson } from "../examples.ts";
import { noSuchKey } from "./key-refusal.ts";

const noExpiry = {
	id: 1,
	name: "partner",
	prefix: "pet_4fZ9",
	scope: "read-write",
	createdAt: "2026-11-16T08:00:00.000Z",
};

export const partner = {
	...noExpiry,
	expiresAt: "2027-11-16T08:00:00.000Z",
	lastUsedAt: "2026-11-16T09:30:00.000Z",
};
export const renamed = { ...partner, name: "partner in Rome" };
export const made = {
	...noExpiry,
	expiresAt: "2027-11-16T08:00:00.000Z",
	key: "pet_4fZ9b6bLr2QwEo7TnUaKc3XvHyM1sDgJ0Pqk3NcVm",
};
export const rotated = {
	...partner,
	prefix: "pet_9sLm",
	key: "pet_9sLmX2vBn7CqRt5YwZk8HjDf3GpA6EuT1oIiW4Nzc",
};

export const anyKeyError = {
	...anyRead,
	forbidden: {
		readKey: error(
			"forbidden",
			"The API key needs the scope operator; its scope is read.",
		),
	},
};

export const noKey = {
	not_found: {
		noKeyWithId: toErrorBody(noSuchKey()),
	},
};

export const anyKeyBody = { ...anyKeyError, ...anyBody };

export function invalidBody(examples: Readonly<Record<string, string>>) {
	return {
		invalid_body: {
			notJson,
			...Object.fromEntries(
				Object.entries(examples).map(([name, message]) => [
					name,
					error("invalid_body", message),
				]),
			),
		},
	};
}
