// The commands that are operations: `petstore categories set 7 --name Dogs` is setCategory, run in this process on the database, whether
// a service runs or not. The segment of the path is an argument, query and body are flags, the reply is a table or JSON.
import { Command } from "commander";
import { openFolder } from "../backups/folder.ts";
import { OperatorError } from "../domain/errors.ts";
import { isObject } from "../domain/types/json.ts";
import { type Members, requireValid } from "../domain/types/type.ts";
import { toExample } from "../interface/messages.ts";
import { Answer } from "../interface/operation.ts";
import { readFirst } from "../operator/edits.ts";
import { toRow } from "../operator/history.ts";
import {
	commandCall,
	type OperatorOperation,
	type OperatorResource,
} from "../operator/operation.ts";
import { isTerminal } from "../program.ts";
import { toBackupFolder } from "../store/database/database-url.ts";
import type { Store } from "../store/store.ts";
import { toCommand, toFlag, toPlain } from "./command.ts";
import { readVariable } from "./environment.ts";
import { database, json, yes } from "./flags.ts";
import { canAsk, print, requireYes, say } from "./terminal/print.ts";
import {
	membersOf,
	toReplyText,
	toTable,
	type Values,
} from "./terminal/table.ts";
import { withStore } from "./with-store.ts";

/** A resource with one operation is the command itself, without a verb. */
export function toResourceCommand(resource: OperatorResource): Command {
	const { tag, operations } = resource;
	const named = new Map<string, OperatorOperation>();
	for (const [id, operation] of Object.entries(operations)) {
		if (operation.command === false) continue;
		const { verb = /^[a-z]+/.exec(id)?.[0] ?? id } = operation.command ?? {};
		named.set(named.has(verb) ? toFlag(id).slice(2) : verb, operation);
	}
	const [only, ...others] = named.values();
	if (only !== undefined && others.length === 0)
		return toOperationCommand([tag], only);
	const command = new Command(tag);
	for (const [verb, operation] of named) {
		const inner = toOperationCommand([tag, verb], operation);
		command.addCommand(inner.summary(operation.summary));
	}
	return command;
}

function toOperationCommand(
	path: readonly string[],
	operation: OperatorOperation,
): Command {
	const { params = {}, method, summary, handle, question } = operation;
	const { creates = false, help = operation.description } =
		operation.command || {};
	const writing = creates ? "create" : "write";
	const access = method === "GET" ? "read" : writing;
	const command = toCommand<
		Members,
		Members & { readonly database: typeof database }
	>(path.at(-1) ?? "", {
		arguments: params,
		flags: {
			...operation.query,
			...membersOf(operation.body),
			database,
			json,
			...(question && { yes }),
		},
		examples: [toExampleLine(path, operation)],
		async run({ database, json, yes, ...given }, typed) {
			const input = toInput(operation, given, typed);
			const path = toBackupFolder(readVariable("BACKUPS")?.text, database);
			const backups = { folder: openFolder(path) };
			if (question && !yes && canAsk()) {
				const asked = await withStore(database, "read", (store) =>
					question(input as never, { store, backups }),
				);
				await requireYes(asked, "Nothing was done.");
			}
			await withStore(database, access, async (store) => {
				const service = { store, backups };
				const done = await handle(input as never, service, commandCall);
				const { value, headers } =
					done instanceof Answer ? done : new Answer(done, {});
				show(operation, value, json === true);
				const { "Edit-Id": edit } = headers;
				const { saysChanges } = operation.command || {};
				if (saysChanges && edit) await sayChanges(store, BigInt(edit));
			});
		},
	});
	return command.description(toPlain({ description: `${summary}. ${help}` }));
}

/** With the flags of the operation's example, or else the required ones, or else one. */
function toExampleLine(
	path: readonly string[],
	{ params = {}, query, body, example }: OperatorOperation,
): string {
	const own = isObject(example) ? example : {};
	const flags = Object.entries({ ...query, ...membersOf(body) });
	const needed = flags.filter(([name, { isOptional }]) =>
		example === undefined ? !isOptional : name in own,
	);
	const [usual] = flags.filter(([, { schema }]) => schema.example);
	const shown = needed.length === 0 && usual ? [usual] : needed;
	return [
		...["petstore", ...path],
		...Object.values(params).map(({ schema }) => toExample(schema)),
		...shown.flatMap(([name, { schema }]) => [
			toFlag(name),
			own[name] ?? toExample(schema),
		]),
	].join(" ");
}

/** The body is read again as a whole: it may have rules of more than one member. */
function toInput(
	{ body, method }: OperatorOperation,
	given: Values,
	typed: Values,
) {
	const members = membersOf(body);
	const isMember = ([name]: [string, unknown]) => name in members;
	const sent = Object.fromEntries(Object.entries(typed).filter(isMember));
	const broken: string[] = [];
	const read = body?.read(sent, "", broken);
	requireValid(broken, "invalid_body");
	if (method === "PATCH" && Object.keys(sent).length === 0)
		throw new OperatorError(
			`Say what to change: ${Object.keys(members).map(toFlag).join(", ")}.`,
			2,
		);
	return { ...given, ...read };
}

/** A program reads JSON, or one member like the secret of a new key. A person reads a table. */
function show(operation: OperatorOperation, value: unknown, asJson: boolean) {
	const { reply, command } = operation;
	if (reply === undefined || value === undefined) return say("Done.");
	if (asJson) return print(`${reply.write(value)}\n`);
	const { prints = "", says } = command || {};
	const { [prints]: alone, next } = value as Values;
	const text =
		alone === undefined || isTerminal(1)
			? toReplyText(reply, value as Values, command || {})
			: `${alone}\n`;
	print(text);
	const said = says?.(value as never);
	if (said !== undefined) say(said);
	if (next !== undefined) {
		const { maximum } = operation.query?.limit?.schema ?? {};
		say(
			`More follow. Add --cursor ${next} to go on, or --limit ${maximum} for longer lists.`,
		);
	} else if (text === "") say("Nothing found.");
}

/** On stderr, since a program reads the reply. */
async function sayChanges(store: Store, edit: bigint): Promise<void> {
	const { entries } = await readFirst(store, edit, maxSaidChanges);
	if (entries.length === 0) return;
	say(toTable(entries.map(toRow)).trimEnd());
	const others = entries.length === maxSaidChanges;
	if (others) say(`To see all of them: petstore edits show ${edit}`);
	say(`To undo this: petstore edits undo ${edit}`);
}

const maxSaidChanges = 20;
