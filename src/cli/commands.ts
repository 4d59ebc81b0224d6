// The commands by their names. One is loaded when it is needed: all of them would take longer than most commands.

/** In the order in which a new user needs them. */
export const load = {
	sandbox: async () =>
		(await import("./commands/sandbox/sandbox.ts")).sandboxCommand,
	serve: async () => (await import("./commands/serve/serve.ts")).serveCommand,
	keys: async () => (await import("./commands/keys/keys.ts")).keysCommand,
	console: async () =>
		(await import("./commands/console/console.ts")).consoleCommand,
	pets: async () => (await import("./commands/pets/pets.ts")).petsCommand,
	history: async () => (await import("./commands/history.ts")).historyCommand,
	status: async () => (await import("./commands/status.ts")).statusCommand,
	health: async () =>
		(await import("./commands/health/health.ts")).healthCommand,
	usage: async () => (await import("./commands/usage/usage.ts")).usageCommand,
	import: async () =>
		(await import("./commands/import/import.ts")).importCommand,
	export: async () =>
		(await import("./commands/export/export.ts")).exportCommand,
	backup: async () =>
		(await import("./commands/backup/backup.ts")).backupCommand,
	restore: async () =>
		(await import("./commands/backup/restore.ts")).restoreCommand,
	check: async () => (await import("./commands/backup/check.ts")).checkCommand,
	copy: async () => (await import("./commands/copy.ts")).copyCommand,
	verify: async () =>
		(await import("./commands/verify/verify.ts")).verifyCommand,
	openapi: async () => (await import("./commands/openapi.ts")).openapiCommand,
	completion: async () =>
		(await import("./commands/completion/completion.ts")).completionCommand,
	licenses: async () =>
		(await import("./commands/licenses.ts")).licensesCommand,
};
