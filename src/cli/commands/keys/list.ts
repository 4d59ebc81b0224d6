// `petstore keys list`: shows all keys, without their secrets.
import { Command } from "@commander-js/extra-typings";
import { toTimeText } from "../../../domain/time.ts";
import { toTyped } from "../../../program.ts";
import type { Key } from "../../../store/keys.ts";
import { databaseOption } from "../../flags.ts";
import { print, printJson, say } from "../../terminal/print.ts";
import { cutTo, toTable } from "../../terminal/table.ts";
import { withStoreReader } from "../../with-store.ts";
import { toTimeOrNull } from "./arguments.ts";

export const listCommand = new Command("list")
	.description("show all keys, without their secrets")
	.option("--json", "print a JSON array, with exact times")
	.addOption(databaseOption)
	.addHelpText("after", "\nExamples:\n  petstore keys list --json")
	.action(async (flags) => {
		const listed = await withStoreReader(flags, ({ keys }) => keys.list());
		if (flags.json) return printJson(listed.map(toView));
		if (listed.length === 0)
			return say(
				`There are no keys; make one with "${toTyped("keys create --name NAME")}".`,
			);
		print(toTable(listed.map(toLine)));
	});

/** Everything about a key that may be shown. */
function toView(key: Key) {
	return {
		id: key.id,
		name: key.name,
		prefix: key.prefix,
		scope: key.scope,
		state: toState(key, Date.now()),
		createdAt: toTimeText(key.createdAt),
		expiresAt: toTimeOrNull(key.expiresAt),
		revokedAt: toTimeOrNull(key.revokedAt),
		lastUsedAt: toTimeOrNull(key.lastUsedAt),
	};
}

/** The same for people, within 80 columns: times to the day, in UTC. */
function toLine(key: Key) {
	const { id, name, prefix, scope, state, ...times } = toView(key);
	return {
		id,
		name: cutTo(name, nameWidth),
		key: `${prefix}…`,
		scope,
		state,
		expires: toDay(times.expiresAt),
		"last used": toDay(times.lastUsedAt),
	};
}

/** The other columns take 61 with ids of up to three digits. */
const nameWidth = 19;

function toState({ revokedAt, expiresAt }: Key, now: number): string {
	if (revokedAt !== undefined) return "revoked";
	return expiresAt !== undefined && expiresAt <= now ? "expired" : "valid";
}

function toDay(iso: string | null): string {
	return iso === null ? "never" : iso.slice(0, 10);
}
