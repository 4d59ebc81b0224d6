// The commands that are operations: `petstore categories set 7 --name Dogs` is setCategory, run in this process on the database, whether
// a service runs or not. The segment of the path is an argument, query and body are flags, the reply is a table or JSON.
import { Command } from "commander";
import { openFolder } from "../backups/folder.ts";
import { type Members, requireValid } from "../domain/type.ts";
import { Answer } from "../interface/operation.ts";
import {
	commandCall,
	type OperatorOperation,
	type OperatorResource,
} from "../operator/operation.ts";
import { isTerminal } from "../program.ts";
import { toBackupFolder } from "../store/database-url.ts";
import { toCommand, toPlain } from "./command.ts";
import { readVariable } from "./environment.ts";
import { database, json, yes } from "./flags.ts";
import { canAsk, print, requireYes, say } from "./terminal/print.ts";
import { membersOf, toReplyText, type Values } from "./terminal/table.ts";
import { withStore } from "./with-store.ts";

/** A resource with one operation is the command itself, without a verb. */
export function toResourceCommand(resource: OperatorResource): Command {
	const { tag } = resource;
	const all = Object.entries(resource.operations);
	const named = all.flatMap(([id, operation]) => {
		const { verb = /^[a-z]+/.exec(id)?.[0] ?? id } = operation.command || {};
		return operation.command === false ? [] : [{ verb, operation }];
	});
	const [only, ...others] = named;
	if (only !== undefined && others.length === 0)
		return toOperationCommand(tag, only.operation);
	const command = new Command(tag);
	for (const { verb, operation } of named) {
		const inner = toOperationCommand(verb, operation);
		command.addCommand(inner.summary(operation.summary));
	}
	return command;
}

function toOperationCommand(
	name: string,
	operation: OperatorOperation,
): Command {
	const { params = {}, method, summary, description, handle } = operation;
	const { creates = false } = operation.command || {};
	const writing = creates ? "create" : "write";
	const access = method === "GET" ? "read" : writing;
	const isRemoval = method === "DELETE";
	const command = toCommand<
		Members,
		Members & { readonly database: typeof database }
	>(name, {
		arguments: params,
		flags: {
			...operation.query,
			...membersOf(operation.body),
			database,
			json,
			...(isRemoval && { yes }),
		},
		async run({ database, json, yes, ...given }, typed) {
			const input = toInput(operation, given, typed);
			if (isRemoval && !yes && canAsk()) {
				const segments = Object.keys(params).map((name) => given[name]);
				const question = `${operation.summary} (${segments})?`;
				await requireYes(question, "Nothing was done.");
			}
			const path = toBackupFolder(readVariable("BACKUPS")?.text, database);
			const backups = { folder: openFolder(path) };
			await withStore(database, access, async (store) => {
				const service = { store, backups };
				const done = await handle(input as never, service, commandCall);
				const value = done instanceof Answer ? done.value : done;
				show(operation, value, json === true);
			});
		},
	});
	const parts = [summary, description].filter((part) => part !== undefined);
	return command.description(toPlain({ description: parts.join(". ") }));
}

/** The body is read again as a whole: it may have rules of more than one member. */
function toInput({ body }: OperatorOperation, given: Values, typed: Values) {
	const members = membersOf(body);
	const isMember = ([name]: [string, unknown]) => name in members;
	const sent = Object.fromEntries(Object.entries(typed).filter(isMember));
	const broken: string[] = [];
	const read = body?.read(sent, "", broken);
	requireValid(broken, "invalid_body");
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
	if (text === "") say("Nothing found.");
	if (says !== undefined) say(says);
	if (next !== undefined) say(`More follow: --cursor ${next} shows them.`);
}
