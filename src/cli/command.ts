// A command with its arguments and flags. They are types, so their texts are read as those of a request are. An environment variable may
// stand for a flag.
import { Command, Option } from "commander";
import { isDay, readDuration, readTime, toTimeText } from "../domain/time.ts";
import type { Members, Schema, Type, ValuesOf } from "../domain/types/type.ts";
import { findVariable, readVariable } from "./environment.ts";

export interface Described<Arguments extends Members, Flags extends Members> {
	/** By their names, in their order. */
	readonly arguments?: Arguments;
	/** `expiresAt` is `--expires-at`. One that is true by default, `open`, is `--no-open`. A list may be given several times. */
	readonly flags?: Flags;
	/** What else the help says. */
	readonly help?: string;
	readonly examples?: readonly string[];
	readonly run: (
		given: ValuesOf<Arguments> & ValuesOf<Flags>,
		typed: Typed,
	) => unknown;
}

/** What was typed, by the names of arguments and flags, as `read` of their types takes it. Without variables and defaults. */
type Typed = Readonly<Record<string, unknown>>;

export function toCommand<
	Arguments extends Members = Record<never, never>,
	Flags extends Members = Record<never, never>,
>(
	name: string,
	{ help, examples, run, ...described }: Described<Arguments, Flags>,
): Command {
	const command = new Command(name);
	const words = Object.entries<Type>(described.arguments ?? {});
	const flags = Object.entries<Flag>(described.flags ?? {});
	for (const [word, { schema, isOptional }] of words)
		command.argument(isOptional ? `[${word}]` : `<${word}>`, toPlain(schema));
	for (const [name, type] of flags)
		if (!type.isOnlyVariable) command.addOption(toOption(name, type));
	const shown = examples && `Examples:\n  ${examples.join("\n  ")}`;
	for (const text of [help, shown])
		if (text !== undefined) command.addHelpText("after", `\n${text}`);
	return command.action(async (...given: unknown[]) => {
		const typed: Record<string, unknown> = {};
		const values: Record<string, unknown> = {};
		const broken: string[] = [];
		function read(name: string, label: string, type: Flag, text: unknown) {
			if (text !== undefined) typed[name] = toJson(type, text);
			const value = readOne(type, label, typed[name], broken);
			if (value !== undefined) values[name] = value;
		}
		for (const [at, [name, type]] of words.entries())
			read(name, name, type, given[at]);
		for (const [name, type] of flags) {
			const isTyped = command.getOptionValueSource(name) === "cli";
			const text = isTyped ? command.getOptionValue(name) : undefined;
			read(name, toFlag(name), type, text);
		}
		if (broken.length > 0) command.error(`error: ${broken.join(" ")}`);
		await run(values as never, typed);
	});
}

interface Flag extends Type {
	/** Without the prefix PETSTORE_. */
	readonly variable?: string;
	readonly isOnlyVariable?: boolean;
}

export function orVariable<Of extends Type>(type: Of, variable: string): Of {
	return { ...type, variable };
}

/** Not a flag, since other users of the machine can read the command lines of its processes. */
export function onlyVariable<Of extends Type>(type: Of): Of {
	return { ...type, isOnlyVariable: true };
}

/** Flags that have variables of their names: `PETSTORE_TLS_CERT` of tlsCert. */
export function withVariables<Of extends Members>(flags: Of): Of {
	const all = Object.entries<Flag>(flags).map(([name, type]) => {
		const { variable = findVariable(name) } = type;
		return [name, variable ? orVariable(type, variable) : type];
	});
	return Object.fromEntries(all) as Of;
}

export function isTime({ schema }: Type): boolean {
	return schema.format === "date-time";
}

/** Without marks of Markdown. */
export function toPlain({ description = "" }: Schema): string {
	return description.replaceAll("`", "");
}

/** `--expires-at` of expiresAt. */
export function toFlag(name: string): string {
	return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function toOption(name: string, type: Flag): Option {
	const { schema, isOptional, fallback, variable } = type;
	const [kind = "string", isNullable] = [schema.type ?? []].flat();
	const isSwitch = kind === "boolean";
	const isTrue = isSwitch && fallback === true;
	const notes = [
		toPlain(schema),
		schema.enum && `One of ${schema.enum.join(", ")}.`,
		isTime(type) && "Like 90d, 12h, 2027-01-31 or 2027-01-31T08:30:00Z.",
		isNullable && 'Or "" for none.',
		!isOptional && "Required.",
		!isSwitch &&
			fallback != null &&
			`Default: ${type.write(fallback).replace(/^"(.*)"$/, "$1")}.`,
		variable && `Variable: PETSTORE_${variable}.`,
	];
	const option = new Option(
		(isTrue ? `--no-${toFlag(name).slice(2)}` : toFlag(name)) +
			(isSwitch ? "" : ` <${toPlaceholder(name, type)}>`),
		notes.filter(Boolean).join(" "),
	);
	if ("item" in type)
		option.argParser((text, before: readonly string[] = []) => [
			...before,
			text,
		]);
	return option;
}

function toPlaceholder(name: string, type: Type): string {
	const { format, type: kind } = type.schema;
	if (isTime(type)) return "when";
	if (kind === "number" || [kind].flat().includes("integer")) return "number";
	return format ?? /[A-Z]?[a-z]+$/.exec(name)?.[0].toLowerCase() ?? name;
}

function readOne(
	{ variable, ...type }: Flag,
	label: string,
	json: unknown,
	broken: string[],
): unknown {
	if (json !== undefined) return type.read(json, label, broken);
	const set = variable ? readVariable(variable) : undefined;
	if (set !== undefined)
		return type.read(toJson(type, set.text), set.name, broken);
	if (!type.isOptional) broken.push(`${label} is required.`);
	return type.fallback;
}

/** What `read` takes. A switch is true; a list has a text for each entry. */
function toJson(type: Type, text: unknown): unknown {
	if (Array.isArray(text)) return text.flatMap((one) => type.fromText(one));
	if (typeof text !== "string") return text;
	const at = isTime(type) ? readWhen(text) : undefined;
	return type.fromText(at === undefined ? text : toTimeText(at));
}

/** A duration from now, a date like `2027-01-31` at 00:00 UTC, or a time; undefined for other text. */
export function readWhen(text: string, now = Date.now()): number | undefined {
	const duration = readDuration(text);
	if (duration !== undefined) return now + duration;
	return readTime(isDay(text) ? `${text}T00:00:00Z` : text);
}
