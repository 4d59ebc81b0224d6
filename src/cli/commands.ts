// The commands by their names. One is loaded when it is needed: all of them would take longer than most commands.

/** In the order in which a new user needs them. */
export const load = {
	sandbox: async () => (await import("./sandbox/sandbox.ts")).sandboxCommand,
	serve: async () => (await import("./serve.ts")).serveCommand,
	keys: async () => (await import("./keys/keys.ts")).keysCommand,
	console: async () => (await import("./console/console.ts")).consoleCommand,
	pets: async () => (await import("./pets/pets.ts")).petsCommand,
	status: async () => (await import("./status.ts")).statusCommand,
	health: async () => (await import("./health/health.ts")).healthCommand,
	usage: async () => (await import("./usage/usage.ts")).usageCommand,
	import: async () => (await import("./import/import.ts")).importCommand,
	export: async () => (await import("./export/export.ts")).exportCommand,
	backup: async () => (await import("./backup/backup.ts")).backupCommand,
	restore: async () => (await import("./backup/restore.ts")).restoreCommand,
	check: async () => (await import("./backup/check.ts")).checkCommand,
	copy: async () => (await import("./copy.ts")).copyCommand,
	verify: async () => (await import("./verify/verify.ts")).verifyCommand,
	openapi: async () => (await import("./openapi.ts")).openapiCommand,
	completion: async () =>
		(await import("./completion/completion.ts")).completionCommand,
	licenses: async () => (await import("./licenses.ts")).licensesCommand,
};
