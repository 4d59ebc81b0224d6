// The flags of a service and of its OpenAPI document, and their values.
import {
	type Command,
	Option,
	type OptionValues,
} from "@commander-js/extra-typings";
import { operationIds, operations } from "../contract/v1/operations.ts";
import { defaultStart } from "../sandbox/demo-animals.ts";
import { defaultMemoryBytes } from "../store/store.ts";
import { refuse, toBaseUrl, wholeNumber } from "./flags.ts";

export const seedOption = new Option(
	"--seed <number>",
	`seed for the demo animals; by default ${defaultStart.seed}`,
).argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER));

/** Adds the flags that change the OpenAPI document. */
export function addDocumentOptions<
	Args extends unknown[],
	Flags extends OptionValues,
>(command: Command<Args, Flags>) {
	return command
		.option(
			"--base-url <url>",
			"production address in the OpenAPI document; with https, also for signing in",
			toBaseUrl,
		)
		.option(
			"--staging-url <url>",
			"staging address in the OpenAPI document",
			toBaseUrl,
		)
		.option(
			"--without-deprecated",
			"leave out deprecated operations, to rehearse their removal",
		);
}

export function toDocumentConfig(flags: {
	readonly baseUrl?: string;
	readonly stagingUrl?: string;
	readonly withoutDeprecated?: true;
}) {
	const { baseUrl, stagingUrl, withoutDeprecated = false } = flags;
	const isServed = (id: keyof typeof operations) =>
		operations[id].deprecation === undefined || !withoutDeprecated;
	return { operationIds: operationIds.filter(isServed), baseUrl, stagingUrl };
}

/** Text like 400MB or 2GB in bytes. SQLite maps two gigabytes of a file at most. */
export function toMemoryBytes(text: string): number {
	const [, digits, unit = ""] = /^(\d{1,6})(MB|GB)$/i.exec(text) ?? [];
	const bytes = Number(digits) * (unit.toUpperCase() === "GB" ? 1e9 : 1e6);
	return bytes >= defaultMemoryBytes && bytes <= 2e9
		? bytes
		: refuse(
				`a size from ${defaultMemoryBytes / 1e6}MB to 2GB, like 400MB or 2GB`,
			);
}
