// The API keys: everything about them but their secrets.
import type { KeyScope } from "../contract/api-key.ts";

export interface Keys {
	readonly add: (key: NewKey) => Promise<Key>;
	readonly list: () => Promise<readonly Key[]>;
	readonly find: (hash: string) => Promise<Key | undefined>;
	/** Returns the key as it was before, or undefined if there is none with this id. */
	readonly revoke: (id: number, at: number) => Promise<Key | undefined>;
	/** Sets the time of last use, unless it was set less than `keyUseIntervalMs` before. */
	readonly recordUse: (id: number, at: number) => Promise<void>;
}

export interface NewKey {
	readonly name: string;
	readonly hash: string;
	readonly prefix: string;
	readonly scope: KeyScope;
	readonly createdAt: number;
	readonly expiresAt: number | undefined;
}

export interface Key extends NewKey {
	readonly id: number;
	readonly revokedAt: number | undefined;
	readonly lastUsedAt: number | undefined;
}
