// The commands that are operations: `petstore categories set 7 --name Dogs` is setCategory, run in this process on the database, whether
// a service runs or not. The segment of the path is an argument, query and body are flags, the reply is a table or JSON.
import {
	Command,
	type CommandUnknownOpts,
	Option,
} from "@commander-js/extra-typings";
import { OperatorError } from "../domain/errors.ts";
import { toTimeText } from "../domain/time.ts";
import {
	int64,
	type Members,
	optional,
	readMembers,
	readText,
	type Type,
	type ValuesOf,
	whole,
} from "../domain/type.ts";
import { isObject } from "../domain/unknown.ts";
import { toVersionCondition } from "../domain/version.ts";
import { Answer } from "../interface/operation.ts";
import { isTerminal } from "../log/output.ts";
import {
	commandCall,
	type OperatorOperation,
	type OperatorResource,
	type OperatorService,
	openService,
} from "../operator/service.ts";
import type { Store } from "../store/store.ts";
import { databaseOption, readWhen } from "./flags.ts";
import { print, printOnce, say } from "./terminal/print.ts";
import {
	isTime,
	listOf,
	membersOf,
	toReplyText,
	type Values,
} from "./terminal/reply.ts";
import {
	type DatabaseFlags,
	withStore,
	withStoreReader,
} from "./with-store.ts";

/** A resource with one operation is the command itself, without a verb. */
export function toCommand(resource: OperatorResource): CommandUnknownOpts {
	const { tag } = resource;
	const all = Object.entries(resource.operations);
	const operations = all.filter(([, { command }]) => command !== false);
	const command = new Command(tag);
	const [[, only] = [], ...others] = operations;
	if (only !== undefined && others.length === 0) {
		addOperation(command, tag, only);
		return command;
	}
	const examples = operations.map(([id, operation]) => {
		const { verb = /^[a-z]+/.exec(id)?.[0] ?? id } = operation.command || {};
		const inner = command.command(verb).description(operation.summary);
		const [, read] =
			all.find(
				([, { method, path }]) => method === "GET" && path === operation.path,
			) ?? [];
		return addOperation(inner, `${tag} ${verb}`, operation, read);
	});
	return command.addHelpText("after", toExamples(examples));
}

function toExamples(examples: readonly string[]): string {
	return `\nExamples:\n  ${examples.join("\n  ")}`;
}

/** `read` is the operation that reads the same path. Returns an example. */
function addOperation(
	command: CommandUnknownOpts,
	words: string,
	operation: OperatorOperation,
	read?: OperatorOperation,
): string {
	const { params = {}, description } = operation;
	const names = Object.keys(params);
	const example = toExample(words, operation);
	const about = toPlain(description).replace(/(.{1,80})( |$)/g, "$1\n");
	command.addHelpText("after", `\n${about}${toExamples([example])}`);
	for (const [name, { schema }] of Object.entries(params))
		command.argument(`<${name}>`, schema.description);
	addFlags(command, {
		...toQuery(operation),
		...membersOf(operation.body),
		...conditionMembers(operation),
	});
	command.addOption(databaseOption).option("--json", "print the reply as JSON");
	if (operation.method === "DELETE")
		command.option("--yes", "do not ask for confirmation");
	command.action(async (...words: unknown[]) => {
		const texts = words.slice(0, names.length);
		// Its type does not know options that were added in a loop.
		const flags = command.opts() as Values & Flags;
		const input = readInput(operation, {
			...flags,
			...Object.fromEntries(names.map((name, at) => [name, texts[at]])),
		});
		if (operation.method === "DELETE" && !flags.yes)
			await ask(operation, texts, read && { operation: read, input, flags });
		await onStore(operation, flags, async (service) => {
			const value = await run(operation, input, service);
			await show(operation, value, service, flags.json);
		});
	});
	return example;
}

interface Flags extends DatabaseFlags {
	readonly json?: boolean;
	readonly yes?: boolean;
}

function onStore(
	{ method, command }: OperatorOperation,
	flags: DatabaseFlags,
	use: (service: OperatorService) => Promise<void>,
): Promise<void> {
	const { creates = false } = command || {};
	const useStore = (store: Store) => use(openService(store));
	return method === "GET"
		? // A reader has all that an operation needs that only reads.
			withStoreReader(flags, (store) => useStore(store as unknown as Store))
		: withStore(flags, useStore, { create: creates });
}

/** A command reads as many pages as it needs, so its limit may be larger, and it needs no cursor. */
function toQuery({ query = {}, command }: OperatorOperation): Members {
	const { cursor, limit, ...others } = query;
	if (cursor === undefined || limit === undefined) return query;
	const { limit: fallback = limit.fallback } = command || {};
	const { description = "" } = limit.schema;
	const any = whole(description, 1, 999_999_999);
	return { ...others, limit: { ...any, isOptional: true, fallback } };
}

function toExample(
	words: string,
	{ params = {}, example = {}, body }: OperatorOperation,
): string {
	const segments = Object.values(params).map((one) => String(one.example));
	const flags = Object.entries(isObject(example.body) ? example.body : {}).map(
		([name, value]) => {
			const text = isTime(membersOf(body)[name]) ? "90d" : String(value);
			return `${toFlag(name)} ${text.includes(" ") ? `"${text}"` : text}`;
		},
	);
	return ["petstore", words, ...segments, ...flags].join(" ");
}

/** `If-Match` as a flag, if the body has no member of the same name. */
function conditionMembers(operation: OperatorOperation): Members {
	return operation.honoursIfMatch && !("version" in membersOf(operation.body))
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

export function addFlags(command: CommandUnknownOpts, members: Members): void {
	for (const [name, type] of Object.entries(members))
		command.addOption(toOption(name, type));
}

function toOption(name: string, type: Type): Option {
	const { schema, isOptional, fallback } = type;
	const [kind = "string", isNullable] = [schema.type ?? []].flat();
	const word = isTime(type) ? "when" : kind === "integer" ? "number" : name;
	const notes = [
		toPlain(schema.description ?? ""),
		isTime(type) && "Like 90d, 12h, 2027-01-31 or 2027-01-31T08:30:00Z.",
		isNullable && 'Or "" for none.',
		fallback != null && fallback !== false && `Default: ${fallback}.`,
	];
	const option = new Option(
		toFlag(name) + (kind === "boolean" ? "" : ` <${word}>`),
		notes.filter((note) => note).join(" "),
	).makeOptionMandatory(!isOptional);
	return schema.enum === undefined ? option : option.choices([...schema.enum]);
}

function toPlain(markdown: string): string {
	return markdown.replaceAll("`", "");
}

/** Throws with every broken rule, as a mistake of usage. */
export function readFlags<Of extends Members>(
	members: Of,
	texts: Values,
): ValuesOf<Of> {
	const broken: string[] = [];
	const values = readMembers(members, toGiven(members, texts), broken);
	requireUsage(broken);
	return values;
}

function requireUsage(broken: readonly string[]): void {
	if (broken.length > 0) throw new OperatorError(broken.join(" "), 2);
}

/** Throws like `readFlags`. */
function readInput(operation: OperatorOperation, texts: Values): Values {
	const parameters = { ...operation.params, ...toQuery(operation) };
	const conditions = conditionMembers(operation);
	const { body } = operation;
	const broken: string[] = [];
	const required = readMembers(conditions, toGiven(conditions, texts), broken);
	const given = toGiven(membersOf(body), texts);
	const input = {
		...readMembers(parameters, toGiven(parameters, texts), broken),
		...body?.read(Object.fromEntries(given), "", broken),
		...(typeof required.version === "bigint" && {
			condition: toVersionCondition(required.version),
		}),
	};
	requireUsage(broken);
	return input;
}

/** What `read` of each type takes. A flag without a value is true. */
function toGiven(
	members: Members,
	texts: Values,
): ReadonlyMap<string, unknown> {
	return new Map(
		Object.entries(members).flatMap(([name, type]) => {
			const text = texts[name];
			if (text === undefined) return [];
			return [[name, typeof text === "string" ? fromFlag(type, text) : text]];
		}),
	);
}

/** A time may also be a duration from now, or a date. */
function fromFlag(type: Type, text: string): unknown {
	const at = isTime(type) ? readWhen(text) : undefined;
	return type.fromText(at === undefined ? text : toTimeText(at));
}

/** Shows first what will be removed, if an operation reads it. */
async function ask(
	{ summary }: OperatorOperation,
	names: readonly unknown[],
	read?: { operation: OperatorOperation; input: Values; flags: Flags },
): Promise<void> {
	const { canAsk, confirm } = await import("./terminal/confirm.ts");
	if (!canAsk()) return;
	if (read !== undefined) {
		const { operation, input, flags } = read;
		await onStore(operation, flags, async (service) => {
			const found = await run(operation, input, service);
			if (operation.reply !== undefined)
				say(toReplyText(operation.reply, found as Values).trimEnd());
		});
	}
	if (!(await confirm(`${summary} (${names.join(", ")})?`)))
		throw new OperatorError("Nothing was done.");
}

async function run(
	operation: OperatorOperation,
	input: Values,
	service: OperatorService,
): Promise<unknown> {
	const { query: { cursor, limit } = {} } = operation;
	const handle = async (given: Values) => {
		const done = await operation.handle(given as never, service, commandCall);
		return done instanceof Answer ? done.value : done;
	};
	const [name] = listOf(operation.reply) ?? [];
	if (cursor === undefined || name === undefined) return handle(input);
	const wanted = Number(input.limit);
	const entries: unknown[] = [];
	for (let next: unknown; ; ) {
		const left = wanted - entries.length;
		const page = (await handle({
			...input,
			limit: Math.min(left, limit?.schema.maximum ?? left),
			cursor: next,
		})) as Values;
		entries.push(...(page[name] as readonly unknown[]));
		if (page.next === undefined || entries.length >= wanted)
			return { ...page, [name]: entries };
		next = readText(cursor, String(page.next), "cursor").value;
	}
}

/** A program reads JSON, or one member like the secret of a new key. A person reads a table. */
async function show(
	{ reply, undo, command }: OperatorOperation,
	value: unknown,
	service: OperatorService,
	asJson = false,
): Promise<void> {
	if (reply === undefined || value === undefined) return say("Done.");
	const values = value as Values;
	const { prints = "", ...shown } = command || {};
	const alone = values[prints];
	const text = asJson
		? `${reply.write(value)}\n`
		: alone === undefined || isTerminal(1)
			? toReplyText(reply, values, shown)
			: `${alone}\n`;
	if (undo === undefined) print(text);
	else await printOnce(text, () => undo(value as never, service));
	if (asJson) return;
	if (text === "") say("Nothing found.");
	if (undo !== undefined) say(reply.schema.description ?? "");
	if (values.next !== undefined)
		say("More follow; a larger --limit shows them.");
}
