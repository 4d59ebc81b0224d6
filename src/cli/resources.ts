// The commands that are operations: `petstore categories set 7 --name Dogs` is setCategory, run in this process on the database, whether
// a service runs or not. The segment of the path is an argument, query and body are flags, the reply is a table or JSON.
import {
	Command,
	type CommandUnknownOpts,
	Option,
} from "@commander-js/extra-typings";
import { OperatorError } from "../domain/errors.ts";
import { parseExactly } from "../domain/json.ts";
import {
	int64,
	type Members,
	type ObjectType,
	optional,
	readMembers,
	type Type,
} from "../domain/type.ts";
import { isObject } from "../domain/unknown.ts";
import { toVersionCondition } from "../domain/version.ts";
import {
	Answer,
	type Command as OperationCommand,
} from "../interface/operation.ts";
import {
	commandCall,
	type OperatorOperation,
	type OperatorResource,
	openService,
} from "../operator/service.ts";
import type { Store } from "../store/store.ts";
import { databaseOption } from "./flags.ts";
import { canAsk, confirm } from "./terminal/confirm.ts";
import { print, printOrFail, say } from "./terminal/print.ts";
import { toFacts, toTable } from "./terminal/table.ts";
import {
	type DatabaseFlags,
	withStore,
	withStoreReader,
} from "./with-store.ts";

export function toCommand({
	tag,
	operations,
}: OperatorResource): CommandUnknownOpts {
	const command = new Command(tag);
	const examples = Object.entries(operations)
		.filter(([, operation]) => operation.command !== false)
		.map(([id, operation]) => {
			const read = Object.values(operations).find(
				({ method, path }) => method === "GET" && path === operation.path,
			);
			return addOperation(command, id, operation, read);
		});
	command.addHelpText("after", toExamples(examples));
	return command;
}

function toExamples(examples: readonly string[]): string {
	return `\nExamples:\n  ${examples.join("\n  ")}`;
}

/** `read` is the operation that reads the same path. Returns an example. */
function addOperation(
	parent: CommandUnknownOpts,
	id: string,
	operation: OperatorOperation,
	read: OperatorOperation | undefined,
): string {
	const { params = {}, query, command } = operation;
	const flagged = {
		...query,
		...bodyMembers(operation),
		...conditionMembers(operation),
	};
	const { verb = /^[a-z]+/.exec(id)?.[0] ?? id } = command || {};
	const example = toExample(parent.name(), verb, operation);
	const inner = parent
		.command(verb)
		.description(operation.summary)
		.addHelpText(
			"after",
			`\n${operation.description}\n${toExamples([example])}`,
		);
	for (const [name, { schema }] of Object.entries(params))
		inner.argument(`<${name}>`, schema.description);
	for (const [name, type] of Object.entries(flagged))
		inner.addOption(toOption(name, type));
	inner.addOption(databaseOption).option("--json", "print the reply as JSON");
	if (operation.method === "DELETE")
		inner.option("--yes", "do not ask for confirmation");
	inner.action(async (...words: unknown[]) => {
		const names = Object.keys(params);
		// Its type does not know options that were added in a loop.
		const flags = inner.opts() as unknown as Flags;
		const input = readInput(operation, {
			...flags,
			...Object.fromEntries(names.map((name, at) => [name, words[at]])),
		});
		if (operation.method === "DELETE" && !flags.yes && canAsk()) {
			const found = read && (await perform(read, input, flags));
			if (found !== undefined)
				say(toText(parseExactly(found, maxReplyDepth)).trimEnd());
			await ask(operation, words.slice(0, names.length));
		}
		show(operation, await perform(operation, input, flags), flags.json);
	});
	return example;
}

/** Returns the reply as JSON. */
async function perform(
	operation: OperatorOperation,
	input: object,
	flags: Flags,
): Promise<string | undefined> {
	const { creates = false } = operation.command || {};
	const handle = async (store: Store) =>
		operation.handle(input as never, openService(store), commandCall);
	const done = await (operation.method === "GET"
		? // A reader has all that an operation needs that only reads.
			withStoreReader(flags, (store) => handle(store as unknown as Store))
		: withStore(flags, handle, { create: creates }));
	const value = done instanceof Answer ? done.value : done;
	return value === undefined ? undefined : operation.reply?.write(value);
}

function toExample(
	tag: string,
	verb: string,
	{ params = {}, example = {} }: OperatorOperation,
): string {
	const { body } = example;
	const flags = isObject(body)
		? Object.entries(body).map(([name, value]) => `${toFlag(name)} "${value}"`)
		: [];
	const segments = Object.values(params).map((one) => String(one.example));
	return ["petstore", tag, verb, ...segments, ...flags].join(" ");
}

interface Flags extends DatabaseFlags {
	readonly json?: boolean;
	readonly yes?: boolean;
}

function bodyMembers({ body }: OperatorOperation): Members {
	return (body as Partial<ObjectType<Members>> | undefined)?.members ?? {};
}

/** `If-Match` as a flag, if the body has no member of the same name. */
function conditionMembers(operation: OperatorOperation): Members {
	return operation.honoursIfMatch && !("version" in bodyMembers(operation))
		? { version }
		: {};
}

const version = optional(
	int64(
		"The version that the animal must have. If it has another, nothing is done.",
		1n,
	),
);

/** `--expires-at` of expiresAt. */
function toFlag(name: string): string {
	return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function toOption(
	name: string,
	{ schema, isOptional, fallback }: Type,
): Option {
	const flag = toFlag(name);
	const kind = schema.format ?? String(schema.type);
	const option = new Option(
		kind === "boolean" ? flag : `${flag} <${kind}>`,
		`${schema.description}${fallback == null ? "" : ` Default: ${fallback}.`}`,
	).makeOptionMandatory(!isOptional);
	return schema.enum === undefined ? option : option.choices([...schema.enum]);
}

/** Throws with every broken rule, as a mistake of usage. */
function readInput(
	operation: OperatorOperation,
	texts: Readonly<Record<string, unknown>>,
): object {
	const { params, query, body } = operation;
	const parameters = { ...params, ...query };
	const conditions = conditionMembers(operation);
	const broken: string[] = [];
	const required = readMembers(conditions, toGiven(conditions, texts), broken);
	const given = toGiven(bodyMembers(operation), texts);
	const input = {
		...readMembers(parameters, toGiven(parameters, texts), broken),
		...body?.read(Object.fromEntries(given), "", broken),
		...(typeof required.version === "bigint" && {
			condition: toVersionCondition(required.version),
		}),
	};
	if (broken.length > 0) throw new OperatorError(broken.join(" "), 2);
	return input;
}

/** What `read` of each type takes. A flag without a value is true. */
function toGiven(
	members: Members,
	texts: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, unknown> {
	return new Map(
		Object.entries(members).flatMap(([name, { fromText }]) => {
			const text = texts[name];
			if (text === undefined) return [];
			return [[name, typeof text === "string" ? fromText(text) : text]];
		}),
	);
}

async function ask(
	{ summary }: OperatorOperation,
	names: readonly unknown[],
): Promise<void> {
	if (!(await confirm(`${summary} (${names.join(", ")})?`)))
		throw new OperatorError("Nothing was done.");
}

/** A program reads JSON, or one member like the secret of a new key. A person reads a table. */
function show(
	{ command }: OperatorOperation,
	reply: string | undefined,
	asJson = false,
): void {
	if (reply === undefined) say("Done.");
	else if (asJson) printOrFail(`${reply}\n`);
	else printText(parseExactly(reply, maxReplyDepth), command || {});
}

function printText(
	json: unknown,
	{ prints = "", columns }: OperationCommand,
): void {
	const { [prints]: alone, next } = isObject(json) ? json : {};
	const text = toText(json, columns);
	if (text === "") say("Nothing found.");
	if (alone === undefined || process.stdout.isTTY) print(text);
	else printOrFail(`${alone}\n`);
	if (next !== undefined) say(`More follow: --cursor ${next}`);
}

const maxReplyDepth = 20;

/** A list of the reply as a table, other members as lines. */
function toText(json: unknown, columns?: readonly string[]): string {
	if (!isObject(json)) return `${json}\n`;
	const list = Object.values(json).find((member) => Array.isArray(member));
	if (!Array.isArray(list)) return toFacts(toCells(json, columns));
	const rows = list.filter(isObject);
	const names = columns ?? [
		...new Set(rows.flatMap((row) => Object.keys(row))),
	];
	return rows.length === 0
		? ""
		: toTable(
				rows.map((row) => toCells(row, names)),
				"name",
			);
}

function toCells(
	row: Readonly<Record<string, unknown>>,
	names: readonly string[] = Object.keys(row),
): Record<string, string> {
	return Object.fromEntries(names.map((name) => [name, toCell(row[name])]));
}

function toCell(value: unknown): string {
	if (value === undefined || value === null) return "";
	if (typeof value !== "object") return String(value);
	return JSON.stringify(value, (_, one: unknown) =>
		typeof one === "bigint" ? String(one) : one,
	);
}
