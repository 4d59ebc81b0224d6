// `petstore keys rotate`: gives a key another secret, while the old one stays valid for a time.
import { Command, Option } from "@commander-js/extra-typings";
import { generateKey } from "../../contract/api-key.ts";
import { OperatorError } from "../../contract/errors.ts";
import { maxOverlapSeconds } from "../../contract/operator/keys/schemas.ts";
import { toTimeText } from "../../contract/time.ts";
import type { RotationRefusal } from "../../store/keys.ts";
import { databaseOption } from "../options.ts";
import { print, printJson, say } from "../print.ts";
import { refuse, toDuration } from "../values.ts";
import { withStore } from "../with-store.ts";
import {
	idArgument,
	noSuchKey,
	toKeyId,
	toSecond,
	toTimeOrNull,
} from "./arguments.ts";

const defaultOverlapMs = 86_400_000;

export const rotateCommand = new Command("rotate")
	.description(
		"give a key another secret and print it, this once only; the key stays the same",
	)
	.argument(...idArgument, toKeyId)
	.addOption(
		new Option(
			"--overlap <duration>",
			"how long the old secret stays valid, from 0s to 7d",
		)
			.default(defaultOverlapMs, "24h")
			.argParser(toOverlap),
	)
	.option("--json", "print one JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Sessions of the console that were made with the old secret end with it. After a
leak take --overlap 0s.

Examples:
  petstore keys rotate 2
  petstore keys rotate 2 --overlap 0s`,
	)
	.action(async (id, flags) => {
		const { key: secret, hash, prefix } = generateKey();
		const [at, overlapMs] = [Date.now(), flags.overlap];
		const rotation = await withStore(flags, { create: false }, ({ keys }) =>
			keys.rotate(id, { hash, prefix, at, overlapMs }),
		);
		if (rotation.outcome !== "rotated") throw toRefusal(id, rotation.outcome);
		const { name, scope, expiresAt } = rotation.key;
		const until = toTimeText(at + overlapMs);
		if (flags.json) {
			const times = {
				expiresAt: toTimeOrNull(expiresAt),
				oldSecretUntil: until,
			};
			return printJson({ id, name, key: secret, scope, ...times });
		}
		print(`${secret}\n`);
		const end =
			overlapMs === 0
				? "is not valid any more"
				: `is valid until ${toSecond(until)}`;
		say(`Rotated key ${id} (${name}). Its old secret ${end}.`);
		say("The new one is not shown again.");
	});

function toRefusal(id: number, outcome: RotationRefusal): OperatorError {
	if (outcome === "missing") return noSuchKey(id);
	const problem = outcome === "revoked" ? "was revoked" : "has expired";
	return new OperatorError(
		`Key ${id} ${problem}, so it gets no other secret; make a new key.`,
	);
}

function toOverlap(text: string): number {
	const duration = toDuration(text) ?? Number.POSITIVE_INFINITY;
	return duration <= maxOverlapSeconds * 1_000
		? duration
		: refuse("a duration from 0s to 7d, like 30m, 24h or 2d");
}
