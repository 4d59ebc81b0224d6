// `petstore keys create` and `petstore keys rotate`: make a secret and print it, this once only.
import { Command, Option } from "@commander-js/extra-typings";
import { generateKey } from "../../../domain/api-key.ts";
import { OperatorError } from "../../../domain/errors.ts";
import {
	keyScopes,
	maxOverlapSeconds,
	scopeMeanings,
} from "../../../domain/key-scope.ts";
import { toTimeText } from "../../../domain/time.ts";
import {
	databaseOption,
	readWhen,
	refuse,
	toDuration,
	toName,
	wholeNumber,
} from "../../flags.ts";
import { issueKey } from "../../issue-key.ts";
import { printOrFail, say, toJsonText } from "../../terminal/print.ts";
import { explainFailure, withStore } from "../../with-store.ts";

export const createCommand = new Command("create")
	.description("make a key and print it once")
	.requiredOption(
		"--name <name>",
		"person or program that uses the key",
		toName,
	)
	.addOption(
		new Option("--scope <scope>", "permissions of the key")
			.choices(keyScopes)
			.default("read-write" as const),
	)
	.option(
		"--expires <when>",
		"expiry: 90d, 12h, 15m, 30s, a date like 2027-01-31 (00:00 UTC), or a time (default: never)",
		toFutureTime,
	)
	.option("--json", "print one JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Scopes:
${keyScopes.map((scope) => `  ${scope.padEnd(10)}  ${scopeMeanings[scope]}`).join("\n")}

Examples:
  petstore keys create --name ci --scope read --expires 90d
  petstore keys create --name Ada --scope operator
  KEY=$(petstore keys create --name script)`,
	)
	.action(async ({ name, scope, expires: expiresAt, ...flags }) => {
		const until = toTimeOrNull(expiresAt);
		const life =
			until === null ? "never expires" : `expires ${toSecond(until)}`;
		const toText = ({ id, key }: { id: number; key: string }) =>
			flags.json
				? toJsonText({ id, name, key, scope, expiresAt: until })
				: `${key}\n`;
		await withStore(
			flags,
			async ({ keys }) => {
				const made = await issueKey(keys, { name, scope, expiresAt }, toText);
				if (!flags.json)
					say(
						`Made key ${made} in ${flags.database.shown} (${scope}, ${life}). It is not shown again.`,
					);
			},
			{ create: true },
		).catch(
			explainFailure(
				"the key was made",
				`${hint}, and revoke the key if it was made, because its secret is lost`,
			),
		);
	});

function toFutureTime(text: string): number {
	const now = Date.now();
	const at =
		readWhen(text, now, 1) ??
		refuse(
			"a duration like 90d, 12h, 15m or 30s, a date like 2027-01-31, or a time like 2027-01-31T08:30:00Z, before the year 10000 in UTC",
		);
	return at > now ? at : refuse("in the future");
}

const hint = 'see "petstore keys list"';

export const idArgument = [
	"<id>",
	'id of the key, as "keys list" shows it',
	wholeNumber(1, 10 ** 15 - 1, `the id of a key, a whole number; ${hint}`),
] as const;

export const rotateCommand = new Command("rotate")
	.description(
		"give a key a new secret and print it once; its id and name stay",
	)
	.argument(...idArgument)
	.addOption(
		new Option(
			"--overlap <duration>",
			"how long the old secret stays valid, from 0s to 7d",
		)
			.default(86_400_000, "24h")
			.argParser(toOverlap),
	)
	.option("--json", "print one JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Sessions of the console that were made with the old secret end with it. After a
leak use --overlap 0s.

Examples:
  petstore keys rotate 2
  petstore keys rotate 2 --overlap 0s`,
	)
	.action(async (id, flags) => {
		const { key: secret, hash, prefix } = generateKey();
		const [at, overlapMs] = [Date.now(), flags.overlap];
		const rotation = await withStore(flags, ({ keys }) =>
			keys.rotate(id, { hash, prefix, at, overlapMs }),
		).catch(explainFailure("the key was rotated"));
		if (rotation.outcome === "missing") throw noSuchKey(id);
		if (rotation.outcome !== "rotated")
			throw new OperatorError(
				`Key ${id} ${rotation.outcome === "revoked" ? "was revoked" : "has expired"} and cannot be rotated; make a new key.`,
			);
		const { name, scope, expiresAt } = rotation.key;
		const until = toTimeText(at + overlapMs);
		if (flags.json)
			return printOrFail(
				toJsonText({
					id,
					name,
					key: secret,
					scope,
					expiresAt: toTimeOrNull(expiresAt),
					oldSecretUntil: until,
				}),
			);
		printOrFail(`${secret}\n`);
		const end =
			overlapMs === 0
				? "is no longer valid"
				: `is valid until ${toSecond(until)}`;
		say(`Rotated key ${id} (${name}). Its old secret ${end}.`);
		say("The new one is not shown again.");
	});

function toOverlap(text: string): number {
	const duration = toDuration(text) ?? Number.POSITIVE_INFINITY;
	return duration <= maxOverlapSeconds * 1_000
		? duration
		: refuse("a duration from 0s to 7d, like 30m, 24h or 2d");
}

export function noSuchKey(id: number): OperatorError {
	return new OperatorError(`No key has the id ${id}; ${hint}.`);
}

export function toTimeOrNull(time: number | undefined): string | null {
	return time === undefined ? null : toTimeText(time);
}

export function toSecond(iso: string): string {
	return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
