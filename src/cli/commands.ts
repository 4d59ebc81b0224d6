// The commands by their names. One is loaded when it is called: all of them would take longer than most commands.
import type { CommandUnknownOpts } from "@commander-js/extra-typings";

export interface Called {
	readonly description: string;
	readonly load: () => Promise<{ readonly command: CommandUnknownOpts }>;
}

/** In the order in which a new user needs them. */
export const commands: Readonly<Record<string, Called>> = {
	sandbox: {
		description: "run a pet store to try clients on, in memory",
		load: () => import("./commands/sandbox/sandbox.ts"),
	},
	serve: {
		description: "run the service",
		load: () => import("./commands/serve/serve.ts"),
	},
	keys: {
		description: "make, list, rename, rotate, revoke and forget API keys",
		load: () => import("./commands/keys/keys.ts"),
	},
	console: {
		description: "make a link that signs in to the console once, and open it",
		load: () => import("./commands/console.ts"),
	},
	pets: {
		description: "find, add, change, remove and restore animals",
		load: () => import("./commands/pets/pets.ts"),
	},
	categories: {
		description: "list, set and remove the names of categories",
		load: () => import("./commands/categories.ts"),
	},
	history: {
		description: "show who changed and removed animals, newest first",
		load: () => import("./commands/history.ts"),
	},
	status: {
		description: "show the size of the database and the number of animals",
		load: () => import("./commands/status.ts"),
	},
	health: {
		description: "check that a running service answers",
		load: () => import("./commands/health.ts"),
	},
	usage: {
		description: "show who calls what, how often and how fast",
		load: () => import("./commands/usage.ts"),
	},
	import: {
		description: "add or update the animals of a file, all of them or none",
		load: () => import("./commands/import/import.ts"),
	},
	export: {
		description: "write the animals to a file, as they are at one moment",
		load: () => import("./commands/export/export.ts"),
	},
	backup: {
		description: "back the database up while the service runs",
		load: () => import("./commands/backup/backup.ts"),
	},
	restore: {
		description: "put a backup into an empty database; all of it or nothing",
		load: () => import("./commands/backup/restore.ts"),
	},
	check: {
		description: "look for damage in the database, or in a backup",
		load: () => import("./commands/backup/check.ts"),
	},
	copy: {
		description:
			"copy animals, keys, Idempotency-Keys and usage to an empty database; all of it or nothing",
		load: () => import("./commands/copy.ts"),
	},
	verify: {
		description: "run the conformance cases against a pet store",
		load: () => import("./commands/verify/verify.ts"),
	},
	openapi: {
		description: "print the OpenAPI document",
		load: () => import("./commands/openapi.ts"),
	},
	completion: {
		description: "print a script for Tab completion in a shell",
		load: () => import("./commands/completion.ts"),
	},
	licenses: {
		description: "print the licences of the packages that the program contains",
		load: () => import("./commands/licenses.ts"),
	},
};
