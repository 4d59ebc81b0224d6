// The flags that change the OpenAPI document, for serve and openapi.
import {
	type Command,
	Option,
	type OptionValues,
} from "@commander-js/extra-typings";
import { operationIds, operations } from "../contract/v1/operations.ts";
import { toBaseUrl } from "./values.ts";

/** Adds the flags that change the OpenAPI document. */
export function addDocumentOptions<
	Args extends unknown[],
	Flags extends OptionValues,
>(command: Command<Args, Flags>) {
	return command
		.addOption(
			new Option(
				"--base-url <url>",
				"production address for the OpenAPI document; if it is https, also for signing in",
			)
				.env("PETSTORE_BASE_URL")
				.argParser(toBaseUrl),
		)
		.addOption(
			new Option(
				"--staging-url <url>",
				"staging address for the OpenAPI document",
			)
				.env("PETSTORE_STAGING_URL")
				.argParser(toBaseUrl),
		)
		.option(
			"--without-deprecated",
			"leave out deprecated operations, to rehearse their removal",
		);
}

/** What they say about the document. */
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
