// `petstore-service` in other runtimes, which cannot run the service, and its types, which need no other package. It exports the same name,
// since the import of a missing name would fail with another message.

export const openPetstore: OpenPetstore = () => Promise.reject(explain());

throw explain();

function explain(): Error {
	return new Error(
		'The service runs in Bun only: run this program with "npx bun", start the service with "npx petstore serve", or import "petstore-service/testing" in tests.',
	);
}

export type OpenPetstore = (options: PetstoreOptions) => Promise<Petstore>;

export interface PetstoreOptions {
	/** A database URL: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
	readonly database: string;
	readonly opening?: {
		/** Whether to create a database that is not there yet; true if not given. */
		readonly create?: boolean;
		/** Connections to PostgreSQL at most. */
		readonly poolSize?: number;
	};
	/** Where to listen: on a free port of 127.0.0.1 if not given. */
	readonly address?: { readonly host: string; readonly port: number };
	/** A key that is valid besides the stored ones. */
	readonly apiKey?: string | undefined;
	/** How often each key may call. */
	readonly rateLimit?:
		| { readonly requests: number; readonly unit: "s" | "m" | "h" }
		| undefined;
	readonly document?: {
		/** Its public address, for the OpenAPI document and the console. */
		readonly baseUrl?: string | undefined;
	};
	readonly log?: {
		/** Whether every request is logged, to stderr. If not given, only in a sandbox. */
		readonly requests?: boolean | undefined;
	};
	/** Makes the service a sandbox that begins with these demo animals. Its database must be in memory, and its host this machine unless `allowHosts` names others. */
	readonly sandbox?:
		| {
				readonly pets: number;
				readonly seed: number;
				/** How long requests to `/v1` and `/operator/v1` wait, in milliseconds: always the same, or a random time between two. */
				readonly delay?: number | readonly [number, number] | undefined;
				/** `sandbox` if not given. */
				readonly key?: string | undefined;
				/** Names of hosts other than this machine that a request may be for; `*` is any. */
				readonly allowHosts?: readonly string[] | undefined;
		  }
		| undefined;
	/** The folder of the backups that operators can make and download. */
	readonly backups?: string | undefined;
	/** How often a backup is made there; only on request if not given. */
	readonly backupEveryMs?: number | undefined;
	/** How many of the newest backups stay there; all if not given. */
	readonly backupKeep?: number | undefined;
}

export interface Petstore {
	/** Where to call it from this machine. */
	readonly url: string;
	/** Answers the requests that have arrived, then closes the database. */
	readonly stop: () => Promise<void>;
}
