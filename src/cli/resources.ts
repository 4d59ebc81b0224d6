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
	type Members,
	type ObjectType,
	readMembers,
	type Type,
} from "../domain/type.ts";
import { isObject } from "../domain/unknown.ts";
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
import { databaseOption } from "./flags.ts";
import { canAsk, confirm } from "./terminal/confirm.ts";
import { print, printOrFail, say } from "./terminal/print.ts";
import { toFacts, toTable } from "./terminal/table.ts";
import { withStore } from "./with-store.ts";

export function toCommand({
	tag,
	operations,
}: OperatorResource): CommandUnknownOpts {
	const command = new Command(tag);
	const examples = Object.entries(operations)
		.filter(([, operation]) => operation.command !== false)
		.map(([id, operation]) => addOperation(command, id, operation));
	command.addHelpText("after", toExamples(examples));
	return command;
}

function toExamples(examples: readonly string[]): string {
	return `\nExamples:\n  ${examples.join("\n  ")}`;
}

/** Returns an example. */
function addOperation(
	parent: CommandUnknownOpts,
	id: string,
	operation: OperatorOperation,
): string {
	const { params = {}, command } = operation;
	const given = { ...operation.query, ...bodyMembers(operation) };
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
	for (const [name, type] of Object.entries(given))
		inner.addOption(toOption(name, type));
	inner.addOption(databaseOption).option("--json", "print the reply as JSON");
	if (operation.method === "DELETE")
		inner.option("--yes", "do not ask for confirmation");
	inner.action(async (...words: unknown[]) => {
		const texts = words.slice(0, Object.keys(params).length);
		// Its type does not know options that were added in a loop.
		const flags = inner.opts() as unknown as Flags;
		const names = Object.keys(params);
		const input = readInput({ ...params, ...given }, [
			...names.map((name, at) => [name, texts[at]] as const),
			...Object.entries(flags).filter(([name]) => Object.hasOwn(given, name)),
		]);
		if (operation.method === "DELETE" && !flags.yes)
			await ask(operation, texts);
		const done = await withStore(flags, (store) =>
			Promise.resolve(
				operation.handle(input as never, openService(store), commandCall),
			),
		);
		show(operation, done instanceof Answer ? done.value : done, flags.json);
	});
	return example;
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

interface Flags {
	readonly database: Parameters<typeof withStore>[0]["database"];
	readonly json?: boolean;
	readonly yes?: boolean;
}

function bodyMembers({ body }: OperatorOperation): Members {
	return (body as Partial<ObjectType<Members>> | undefined)?.members ?? {};
}

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
		`${schema.description}${fallback === undefined ? "" : ` Default: ${fallback}.`}`,
	).makeOptionMandatory(!isOptional);
	return schema.enum === undefined ? option : option.choices([...schema.enum]);
}

/** Throws with every broken rule, as a mistake of usage. */
function readInput(
	members: Members,
	given: readonly (readonly [name: string, value: unknown])[],
): object {
	const values = given.map(([name, value]) => [
		name,
		typeof value === "string" ? members[name]?.fromText(value) : value,
	]) as [string, unknown][];
	const broken: string[] = [];
	const input = readMembers(members, new Map(values), broken);
	if (broken.length > 0) throw new OperatorError(broken.join(" "), 2);
	return input;
}

async function ask(
	{ summary }: OperatorOperation,
	names: readonly unknown[],
): Promise<void> {
	if (!canAsk()) return;
	if (!(await confirm(`${summary} (${names.join(", ")})?`)))
		throw new OperatorError("Nothing was done.");
}

/** A program reads JSON, or one member like the secret of a new key. A person reads a table. */
function show(
	{ reply, command }: OperatorOperation,
	value: unknown,
	asJson = false,
): void {
	if (reply === undefined || value === undefined) say("Done.");
	else if (asJson) printOrFail(`${reply.write(value)}\n`);
	else
		printText(parseExactly(reply.write(value), maxReplyDepth), command || {});
}

function printText(
	json: unknown,
	{ prints = "", columns }: OperationCommand,
): void {
	const alone = isObject(json) ? json[prints] : undefined;
	if (alone === undefined || process.stdout.isTTY) print(toText(json, columns));
	else printOrFail(`${alone}\n`);
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
	if (rows.length === 0) return "";
	const more =
		json.next === undefined ? "" : `More follow: --cursor ${json.next}\n`;
	return (
		toTable(
			rows.map((row) => toCells(row, names)),
			"name",
		) + more
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
