// The commands by name. Only the called one is loaded: loading all takes longer than most commands run.
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { OperatorResource } from "../operator/service.ts";

/** In the order in which a new user needs them. */
export const descriptions = {
	sandbox: "run a pet store to try clients on, in memory",
	serve: "run the service",
	keys: "make, list, change and revoke API keys",
	console: "make a link that signs in to the console once, and open it",
	pets: "find, add, change and remove animals",
	categories: "list, set and remove the names of categories",
	history: "show who changed and removed animals, and put one back",
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

type Load = () => Promise<{ readonly command: CommandUnknownOpts }>;

function ofResource(load: () => Promise<OperatorResource>): Load {
	return async () => {
		const [{ toCommand }, resource] = await Promise.all([
			import("./resources.ts"),
			load(),
		]);
		return { command: toCommand(resource) };
	};
}

export const modules: Readonly<Record<string, Load>> = {
	sandbox: () => import("./commands/sandbox/sandbox.ts"),
	serve: () => import("./commands/serve/serve.ts"),
	keys: ofResource(async () => (await import("../operator/keys.ts")).keys),
	console: () => import("./commands/console.ts"),
	pets: ofResource(async () => (await import("../operator/pets.ts")).pets),
	categories: ofResource(
		async () => (await import("../operator/categories.ts")).categories,
	),
	history: ofResource(
		async () => (await import("../operator/history.ts")).history,
	),
	status: ofResource(
		async () => (await import("../operator/status.ts")).status,
	),
	health: () => import("./commands/health.ts"),
	import: () => import("./commands/import.ts"),
	export: () => import("./commands/export.ts"),
	backup: () => import("./commands/backup/backup.ts"),
	restore: () => import("./commands/backup/restore.ts"),
	check: () => import("./commands/backup/check.ts"),
	verify: () => import("./commands/verify.ts"),
	openapi: () => import("./commands/openapi.ts"),
} satisfies Record<keyof typeof descriptions, Load>;
