// The commands by name. Only the called one is loaded: loading all takes longer than most commands run.
import type { Command } from "commander";
import type { OperatorResource } from "../operator/operation.ts";

/** In the order in which a new user needs them. */
export const descriptions = {
	sandbox: "run a pet store to try clients on, in memory",
	serve: "run the service",
	keys: "make, list, change and revoke API keys",
	console: "make a link that signs in to the console once, and open it",
	pets: "find, add, change and remove animals",
	categories: "list categories, make them, and set or remove their names",
	history: "show who changed and removed animals, and put one back",
	edits: "list what was changed together, and undo it",
	status: "show the size of the database and the number of animals",
	health: "check that a running service answers",
	import: "add or update the animals of a file, all of them or none",
	export: "write the animals to a file, as they are at one moment",
	backup: "back the database up while the service runs",
	restore: "put a backup into an empty database; all of it or nothing",
	check: "look for damage in the database, or in a backup",
	verify: "run the conformance cases against a pet store",
	openapi: "print the OpenAPI document",
};

type Load = () => Promise<{ readonly command: Command }>;

/** The file of each resource exports it by its name. */
function ofResource<const Name extends string>(
	name: Name,
	load: () => Promise<Readonly<Record<Name, OperatorResource>>>,
): Load {
	return async () => {
		// Both modules are loaded at the same time.
		const loading = load();
		const { toResourceCommand } = await import("./resources.ts");
		return { command: toResourceCommand((await loading)[name]) };
	};
}

export const modules: Readonly<Record<string, Load>> = {
	sandbox: () => import("./commands/sandbox.ts"),
	serve: () => import("./commands/serve.ts"),
	keys: ofResource("keys", () => import("../operator/keys.ts")),
	console: () => import("./commands/console.ts"),
	pets: ofResource("pets", () => import("../operator/pets.ts")),
	categories: ofResource(
		"categories",
		() => import("../operator/categories.ts"),
	),
	history: ofResource("history", () => import("../operator/history.ts")),
	edits: ofResource("edits", () => import("../operator/edits.ts")),
	status: ofResource("status", () => import("../operator/status.ts")),
	health: () => import("./commands/health.ts"),
	import: () => import("./commands/import.ts"),
	export: () => import("./commands/export.ts"),
	backup: () => import("./commands/backup.ts"),
	restore: () => import("./commands/restore.ts"),
	check: () => import("./commands/check.ts"),
	verify: () => import("./commands/verify.ts"),
	openapi: () => import("./commands/openapi.ts"),
} satisfies Record<keyof typeof descriptions, Load>;
