// The commands by their names, each with what adds it to the program.
import type { Command } from "commander";

/** In the order in which a new user needs them. */
export const commandNames = [
	...([
		"sandbox",
		"serve",
		"keys",
		"console",
		"pets",
		"status",
		"health",
		"usage",
	] as const),
	...(["import", "export"] as const),
	...(["backup", "restore", "check", "copy"] as const),
	...(["verify", "openapi", "completion", "licenses"] as const),
];
export type CommandName = (typeof commandNames)[number];

/** A command is loaded when it is needed: all of them would take longer than most commands. */
export const load: Readonly<
	Record<CommandName, () => Promise<(program: Command) => void>>
> = {
	sandbox: async () => (await import("./sandbox/sandbox.ts")).addSandbox,
	serve: async () => (await import("./serve.ts")).addServe,
	keys: async () => (await import("./keys/keys.ts")).addKeys,
	console: async () => (await import("./console/console.ts")).addConsole,
	pets: async () => (await import("./pets/pets.ts")).addPets,
	status: async () => (await import("./status.ts")).addStatus,
	health: async () => (await import("./health/health.ts")).addHealth,
	usage: async () => (await import("./usage/usage.ts")).addUsage,
	import: async () => (await import("./import/import.ts")).addImport,
	export: async () => (await import("./export/export.ts")).addExport,
	backup: async () => (await import("./backup/backup.ts")).addBackup,
	restore: async () => (await import("./backup/restore.ts")).addRestore,
	check: async () => (await import("./backup/check.ts")).addCheck,
	copy: async () => (await import("./copy.ts")).addCopy,
	verify: async () => (await import("./verify/verify.ts")).addVerify,
	openapi: async () => (await import("./openapi.ts")).addOpenapi,
	completion: async () =>
		(await import("./completion/completion.ts")).addCompletion,
	licenses: async () => (await import("./licenses.ts")).addLicenses,
};
