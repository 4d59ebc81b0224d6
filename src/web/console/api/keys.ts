// The API keys, as the operator interface has them.
import type { Api } from "./api.ts";
import { list, number, object, optional, text, time } from "./values.ts";

const key = {
	id: number,
	name: text,
	prefix: text,
	scope: text,
	createdAt: time,
	expiresAt: optional(time),
	revokedAt: optional(time),
	lastUsedAt: optional(time),
	deprecatedUseAt: optional(time),
};

const toKey = object(key);
const toPage = object({ keys: list(toKey), next: optional(number) });
/** With the secret, which the service sends only once. */
const toMade = object({ ...key, key: text });

export type Key = ReturnType<typeof toKey>;
export type MadeKey = ReturnType<typeof toMade>;
export type Keys = ReturnType<typeof createKeys>;

export function createKeys({ read, send }: Api) {
	return {
		/** All keys. The service sends them in pages. */
		async list(ending?: AbortSignal): Promise<readonly Key[]> {
			const all: Key[] = [];
			for (let path: string | undefined = "/keys?limit=100"; path; ) {
				const { keys, next } = toPage(await read(path, ending));
				all.push(...keys);
				path = next ? `/keys?limit=100&cursor=${next}` : undefined;
			}
			return all;
		},
		create: async (body: {
			name: string;
			scope: string;
			expiresAt: string | undefined;
		}) => toMade(await send("POST", "/keys", { body })),
		change: (
			id: number,
			body: { name: string; expiresAt?: string | null | undefined },
		) => send("PATCH", `/keys/${id}`, { body }),
		revoke: (id: number) => send("DELETE", `/keys/${id}`),
	};
}
