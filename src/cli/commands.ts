// The commands by their names. One is loaded when it is called: all of them would take longer than most commands.
import type { CommandUnknownOpts } from "@commander-js/extra-typings";

export interface Called {
	readonly description: string;
	readonly load: () => Promise<CommandUnknownOpts>;
}

/** In the order in which a new user needs them. */
export const commands: Readonly<Record<string, Called>> = {
	sandbox: {
		description: "run a pet store to try clients on, in memory",
		load: async () =>
			(await import("./commands/sandbox/sandbox.ts")).sandboxCommand,
	},
	serve: {
		description: "run the service",
		load: async () => (await import("./commands/serve/serve.ts")).serveCommand,
	},
	keys: {
		description: "make, list, rename, rotate, revoke and forget API keys",
		load: async () => (await import("./commands/keys/keys.ts")).keysCommand,
	},
	console: {
		description: "make a link that signs in to the console once, and open it",
		load: async () =>
			(await import("./commands/console/console.ts")).consoleCommand,
	},
	pets: {
		description: "find, add, change, remove and restore animals",
		load: async () => (await import("./commands/pets/pets.ts")).petsCommand,
	},
	categories: {
		description: "list, set and remove the names of categories",
		load: async () =>
			(await import("./commands/categories.ts")).categoriesCommand,
	},
	history: {
		description: "show who changed and removed animals, newest first",
		load: async () => (await import("./commands/history.ts")).historyCommand,
	},
	status: {
		description: "show the size of the database and the number of animals",
		load: async () => (await import("./commands/status.ts")).statusCommand,
	},
	health: {
		description: "check that a running service answers",
		load: async () =>
			(await import("./commands/health/health.ts")).healthCommand,
	},
	usage: {
		description: "show who calls what, how often and how fast",
		load: async () => (await import("./commands/usage/usage.ts")).usageCommand,
	},
	import: {
		description: "add or update the animals of a file, all of them or none",
		load: async () =>
			(await import("./commands/import/import.ts")).importCommand,
	},
	export: {
		description: "write the animals to a file, as they are at one moment",
		load: async () =>
			(await import("./commands/export/export.ts")).exportCommand,
	},
	backup: {
		description: "back the database up while the service runs",
		load: async () =>
			(await import("./commands/backup/backup.ts")).backupCommand,
	},
	restore: {
		description: "put a backup into an empty database; all of it or nothing",
		load: async () =>
			(await import("./commands/backup/restore.ts")).restoreCommand,
	},
	check: {
		description: "look for damage in the database, or in a backup",
		load: async () => (await import("./commands/backup/check.ts")).checkCommand,
	},
	copy: {
		description:
			"copy animals, keys, Idempotency-Keys and usage to an empty database; all of it or nothing",
		load: async () => (await import("./commands/copy.ts")).copyCommand,
	},
	verify: {
		description: "run the conformance cases against a pet store",
		load: async () =>
			(await import("./commands/verify/verify.ts")).verifyCommand,
	},
	openapi: {
		description: "print the OpenAPI document",
		load: async () => (await import("./commands/openapi.ts")).openapiCommand,
	},
	completion: {
		description: "print a script for Tab completion in a shell",
		load: async () =>
			(await import("./commands/completion/completion.ts")).completionCommand,
	},
	licenses: {
		description: "print the licences of the packages that the program contains",
		load: async () => (await import("./commands/licenses.ts")).licensesCommand,
	},
};
