// The entry of `petstore-service` outside Bun: throws an error that says what to do instead. And its types.
// It exports `openPetstore`, since importing a missing name would fail with another message.

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
		/** Whether to create a missing database; true if not given. */
		readonly create?: boolean;
		/** The most PostgreSQL connections. */
		readonly poolSize?: number;
	};
	readonly address?: {
		/** 127.0.0.1 if not given. */
		readonly host?: string | undefined;
		/** A free port if not given. */
		readonly port?: number | undefined;
	};
	/** One extra key, besides the stored ones. */
	readonly apiKey?: string | undefined;
	/** Rate limit of each key; none if not given. */
	readonly rateLimit?:
		| { readonly requests: number; readonly unit: "s" | "m" | "h" }
		| undefined;
	readonly document?: {
		/** Its public URL, for the OpenAPI document and the console. */
		readonly baseUrl?: string | undefined;
	};
	readonly log?: {
		/** Whether to log every request to stderr; if not given, only in a sandbox. */
		readonly requests?: boolean | undefined;
	};
	/** Makes the service a sandbox with these demo animals. It needs an in-memory database, and a local host unless `allowHosts` is given. */
	readonly sandbox?:
		| {
				readonly pets: number;
				readonly seed: number;
				/** Delay of requests to `/v1` and `/operator/v1` in milliseconds: fixed, or random between two values. */
				readonly delay?: number | readonly [number, number] | undefined;
				/** The API key; `sandbox` if not given. */
				readonly key?: string | undefined;
				/** Host names that requests may use besides this machine; `*` is any. */
				readonly allowHosts?: readonly string[] | undefined;
		  }
		| undefined;
	/** The folder of backups, which operators can make and download. */
	readonly backups?: string | undefined;
	/** Interval of automatic backups; only on request if not given. */
	readonly backupEveryMs?: number | undefined;
	/** How many of the newest backups to keep; all if not given. */
	readonly backupKeep?: number | undefined;
}

export interface Petstore {
	/** Its address on this machine. */
	readonly url: string;
	/** Answers the requests that have arrived, then closes the database. */
	readonly stop: () => Promise<void>;
}
