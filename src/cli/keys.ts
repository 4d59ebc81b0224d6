// `petstore keys create|list|revoke`: also while the service runs on the same database.
import { type Command, InvalidArgumentError, Option } from "commander";
import { type KeyScope, keyScopes } from "../contract/api-key.ts";
import { OperatorError } from "../contract/errors.ts";
import type { Key, Keys } from "../store/keys.ts";
import {
	isInMemory,
	isMissing,
	openStore,
	openStoreReader,
	toPublicUrl,
} from "../store/open.ts";
import { toExpiry } from "./expiry.ts";
import { addHelp } from "./help.ts";
import { issueKey } from "./issue-key.ts";
import { type DatabaseFlags, databaseOption } from "./options.ts";
import { print, say } from "./print.ts";
import { toTable } from "./table.ts";

export function addKeys(program: Command): void {
	const keys = program
		.command("keys")
		.description("make, list and revoke API keys")
		.addHelpText(
			"after",
			`
Examples:
  petstore keys create --name "my laptop"
  petstore keys list
  petstore keys revoke 2`,
		);
	addCreate(keys);
	addList(keys);
	addRevoke(keys);
	addHelp(keys);
}

function addCreate(keys: Command): void {
	const command = keys
		.command("create")
		.description("make a key and print it, this once only")
		.requiredOption("--name <name>", "what or whom it is for", toName)
		.addOption(
			new Option("--scope <scope>", "what it may do")
				.choices(keyScopes)
				.default("read-write"),
		)
		.option(
			"--expires <when>",
			"90d, 12h, 15m, 30s, or a date like 2027-01-31, which means 00:00 UTC (default: never)",
			toFutureTime,
		)
		.option("--json", "print one JSON object")
		.addOption(databaseOption)
		.addHelpText(
			"after",
			`
Examples:
  petstore keys create --name ci --scope read --expires 90d
  KEY=$(petstore keys create --name script)`,
		)
		.action(() => createKey(command.optsWithGlobals<CreateFlags>()));
}

interface CreateFlags extends DatabaseFlags {
	readonly name: string;
	readonly scope: KeyScope;
	readonly expires?: number;
	readonly json?: true;
}

async function createKey(flags: CreateFlags): Promise<void> {
	const { name, scope, expires: expiresAt, json, database } = flags;
	const until = toIso(expiresAt);
	const isNew = isMissing(database);
	const made = await withKeys(flags, { create: true }, (keys) =>
		issueKey(keys, { name, scope, expiresAt }, ({ id, key }) =>
			json ? toJson({ id, name, key, scope, expiresAt: until }) : `${key}\n`,
		),
	);
	if (json) return;
	const life = until === null ? "never expires" : `expires ${toSecond(until)}`;
	say(
		`Made key ${made} in ${toPublicUrl(database)} (${scope}, ${life}). It is not shown again.`,
	);
	if (isNew) say("There was no database, so a new one was made.");
	if (isInMemory(database))
		say("It is gone already: a database in memory ends with its process.");
}

function addList(keys: Command): void {
	const command = keys
		.command("list")
		.description("show all keys, without their secrets")
		.option("--json", "print a JSON array")
		.addOption(databaseOption)
		.addHelpText("after", "\nExamples:\n  petstore keys list --json")
		.action(() => listKeys(command.optsWithGlobals<ListFlags>()));
}

interface ListFlags extends DatabaseFlags {
	readonly json?: true;
}

async function listKeys(flags: ListFlags): Promise<void> {
	const store = await openStoreReader(flags.database);
	const listed = await store.keys.list().finally(store.close);
	if (flags.json) return print(toJson(listed.map(toView)));
	if (listed.length === 0)
		return say('There are no keys; make one with "keys create".');
	print(toTable(listed.map(toLine)));
}

/** Everything about a key that may be shown. */
function toView(key: Key) {
	return {
		id: key.id,
		name: key.name,
		prefix: key.prefix,
		scope: key.scope,
		state: toState(key, Date.now()),
		createdAt: toIso(key.createdAt),
		expiresAt: toIso(key.expiresAt),
		revokedAt: toIso(key.revokedAt),
		lastUsedAt: toIso(key.lastUsedAt),
	};
}

/** The same for people, with times to the minute. */
function toLine(key: Key) {
	const { id, name, prefix, scope, state, ...times } = toView(key);
	return {
		id,
		name,
		key: `${prefix}…`,
		scope,
		state,
		created: toMinute(times.createdAt),
		expires: toMinute(times.expiresAt),
		"last used": toMinute(times.lastUsedAt),
	};
}

function toMinute(iso: string | null): string {
	return iso === null ? "never" : `${iso.slice(0, 16).replace("T", " ")} UTC`;
}

function toSecond(iso: string): string {
	return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}

function toState({ revokedAt, expiresAt }: Key, now: number): string {
	if (revokedAt !== undefined) return "revoked";
	return expiresAt !== undefined && expiresAt <= now ? "expired" : "valid";
}

function addRevoke(keys: Command): void {
	const command = keys
		.command("revoke")
		.description(
			"refuse a key from now on; a running service follows within a second",
		)
		.argument("<id>", 'the number that "keys list" shows', toKeyId)
		.addOption(databaseOption)
		.addHelpText("after", "\nExamples:\n  petstore keys revoke 2")
		.action((id: number) =>
			revokeKey(id, command.optsWithGlobals<DatabaseFlags>()),
		);
}

async function revokeKey(id: number, flags: DatabaseFlags): Promise<void> {
	const key = await withKeys(flags, { create: false }, (keys) =>
		keys.revoke(id, Date.now()),
	);
	if (key === undefined) throw new OperatorError(`There is no key ${id}.`);
	say(
		key.revokedAt === undefined
			? `Revoked key ${id} (${key.name}).`
			: `Key ${id} (${key.name}) was revoked already, at ${toSecond(toIso(key.revokedAt))}.`,
	);
}

async function withKeys<Result>(
	{ database }: DatabaseFlags,
	options: { create: boolean },
	use: (keys: Keys) => Promise<Result>,
): Promise<Result> {
	const store = await openStore(database, options);
	try {
		return await use(store.keys);
	} finally {
		await store.close();
	}
}

function toName(text: string): string {
	if (/^\P{C}{1,100}$/u.test(text) && text.trim() !== "") return text;
	throw new InvalidArgumentError(
		"It must be 1 to 100 characters, not only spaces, none of them a control or formatting character.",
	);
}

function toFutureTime(text: string): number {
	const now = Date.now();
	const at = toExpiry(text, now);
	if (at === undefined)
		throw new InvalidArgumentError(
			"It must be a time like 90d, 12h, 15m or 30s, or a date like 2027-01-31.",
		);
	if (at <= now) throw new InvalidArgumentError("It must be in the future.");
	return at;
}

function toKeyId(text: string): number {
	if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
	throw new InvalidArgumentError("It must be a whole number from 1 upward.");
}

function toIso(time: number): string;
function toIso(time: number | undefined): string | null;
function toIso(time: number | undefined): string | null {
	return time === undefined ? null : new Date(time).toISOString();
}

function toJson(value: unknown): string {
	return `${JSON.stringify(value, null, 2)}\n`;
}
