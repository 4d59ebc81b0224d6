// Who changed or added an animal. Inside the service it is one text, as in the database: `7:NAME` of a stored key, `key:NAME` of another
// key, `link:NAME` of a person with a link, or `command line`. An animal has only the id of a stored key, `7`: its name is looked up.
import { object } from "../types/object.ts";
import { anyText, count, oneOf } from "../types/scalar.ts";
import {
	type As,
	type ColumnType,
	type JsonOf,
	optional,
} from "../types/type.ts";

/** The author and the time of a change, in milliseconds since 1970. */
export interface Authored {
	readonly by: string;
	readonly at: number;
}

export const commandLine = "command line";

export function byCommandLine(at = Date.now()): Authored {
	return { by: commandLine, at };
}

const kinds = ["key", "link", commandLine] as const;

/** `who` is the id of a stored key, or a kind. */
export function toAuthor(who: string | number, name?: string): string {
	return name === undefined ? `${who}` : `${who}:${name}`;
}

export function fromAuthor(author: string) {
	const [, who = "", name = ""] = /^([^:]*):?(.*)$/s.exec(author) ?? [];
	return {
		kind: kinds.find((kind) => kind === who) ?? "key",
		keyId: /^\d/.test(who) ? Number(who) : undefined,
		name: name || undefined,
	};
}

/** As an animal has it. */
export function withoutKeyName(author: string): string {
	return author.replace(/^(\d+):.*$/s, "$1");
}

/** With the name that the key has now, if it has none. */
export function withKeyName<Text extends string | null>(
	author: Text,
	names: ReadonlyMap<bigint, string>,
): string | Text {
	const name = names.get(toKeyId(author) ?? 0n);
	return name === undefined ? author : `${author}:${name}`;
}

/** The id of a key without a name; undefined for another author. */
export function toKeyId(author: string | null | undefined): bigint | undefined {
	return /^\d+$/.test(author ?? "") ? BigInt(author ?? "") : undefined;
}

const parts = object(
	"Author",
	"A key, a person with a link, or the command line.",
	{
		kind: oneOf("", kinds),
		keyId: optional(count("The id of a stored key. Only of a key.")),
		name: optional(anyText("Of the key, or of the person.", "Ada")),
	},
);

export function authorOf(
	description: string,
): As<ColumnType<string>, JsonOf<typeof parts>> {
	const { schema, read, fromText, write } = parts;
	return {
		schema: { ...schema, about: schema.description ?? "", description },
		column: "TEXT",
		read(json, name, broken) {
			const { kind, keyId, name: own } = read(json, name, broken) ?? {};
			return toAuthor(keyId ?? kind ?? "", own);
		},
		fromText,
		write: (author) => write(fromAuthor(author)),
		toText(author) {
			const { kind, keyId, name } = fromAuthor(author);
			const what = keyId === undefined ? kind : `${kind} ${keyId}`;
			return name === undefined ? what : `${name} (${what})`;
		},
	};
}
