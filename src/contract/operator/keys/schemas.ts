// The JSON Schemas of the API keys in the operator interface.
import {
	keyNameForm,
	keyNameRule,
	keyScopes,
	scopeMeanings,
} from "../../../domain/key-scope.ts";
import {
	closedObject,
	list,
	maxPageSize,
	object,
	ref,
	text,
	time,
	whole64,
} from "../../schemas.ts";

const name = {
	type: "string",
	minLength: 1,
	maxLength: 100,
	pattern: keyNameForm.source,
	description: `What or whom the key is for: it ${keyNameRule}.`,
};

const key = {
	id: whole64("Its number, from 1 upward."),
	name,
	prefix: text("Its first characters."),
	scope: ref("KeyScope"),
	createdAt: time("When it was made."),
};
const times = {
	expiresAt: time("From when on it is refused; absent if it does not expire."),
	revokedAt: time("When it was revoked; absent if not."),
	lastUsedAt: time("When it was used, to the minute; absent if never."),
};

function withCode(text: string): string {
	return text.replaceAll(/\/[\w/]+/g, "`$&`");
}

export const keySchemas = {
	KeyScope: {
		type: "string",
		enum: keyScopes,
		description: keyScopes
			.map((scope) => `\`${scope}\`: ${withCode(scopeMeanings[scope])}.`)
			.join(" "),
	},
	Key: object("An API key, without its secret.", key, times),
	KeyWithSecret: object(
		"An API key, with its secret.",
		{ ...key, key: text("The key itself, to be sent as the bearer token.") },
		times,
	),
	Keys: object(
		"API keys, in the order of their ids.",
		{ keys: list("Key", maxPageSize) },
		{ next: text("The `cursor` of the next page; absent on the last one.") },
	),
	NewKey: closedObject(
		"An API key to make.",
		{ name },
		{
			scope: ref("KeyScope", "`read-write` by default."),
			expiresAt: time(
				"A time in the future, with an offset. A key without it does not expire.",
			),
		},
	),
	KeyName: closedObject("The new name of a key.", { name }),
};
