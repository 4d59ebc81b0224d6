// Who changed or added an animal: a key, someone who signed in by a link, or the command line.
import { object } from "./object.ts";
import { anyText, count, oneOf } from "./scalar.ts";
import { type ColumnType, optional, type Type } from "./type.ts";

const authorKinds = ["key", "link", "command line"] as const;

export interface Author {
	readonly kind: (typeof authorKinds)[number];
	/** The id of a stored key. */
	readonly keyId?: number | undefined;
	/** The name that a key had then, or that a link was made for. */
	readonly name?: string | undefined;
}

/** The author and the time of a change, in milliseconds since 1970. */
export interface Authored {
	readonly by: Author;
	readonly at: number;
}

export function byCommandLine(at = Date.now()): Authored {
	return { by: { kind: "command line" }, at };
}

export const authorType: Type<Author> = {
	...object("Author", "A key, a person with a link, or the command line.", {
		kind: oneOf("", authorKinds),
		keyId: optional(count("The id of a stored key. Only of a key.")),
		name: optional(anyText("Of the key, or of the person.", "Ada")),
	}),
	toText({ kind, name, keyId }) {
		const what = keyId === undefined ? kind : `${kind} ${keyId}`;
		return name === undefined ? what : `${name} (${what})`;
	},
};

/** An author as one text: the id of a key (`7`, or `7:NAME` by `withName`), `key:NAME`, `link:NAME` or `command line`. */
export function toAuthorText({ kind, keyId, name = "" }: Author) {
	if (kind === "command line") return kind;
	return keyId === undefined ? `${kind}:${name}` : `${keyId}`;
}

/** The id of a key gets the name that the key has, or had. */
export function withName(text: string, name = ""): string {
	return toKeyId(text) === undefined ? text : `${text}:${name}`;
}

/** With the name of its key. */
export function withKeyName<Text extends string | null>(
	text: Text,
	names: ReadonlyMap<bigint, string>,
): string | Text {
	const name = names.get(toKeyId(text) ?? 0n);
	return text === null || name === undefined ? text : withName(text, name);
}

export function fromAuthorText(text: string): Author {
	if (text === "command line") return { kind: text };
	const [, kind = "", name] = /^(key|link|\d+)(?::(.*))?$/s.exec(text) ?? [];
	const keyId = /^\d/.test(kind) ? Number(kind) : undefined;
	return {
		kind: kind === "link" ? kind : "key",
		keyId,
		name: name || undefined,
	};
}

/** The id of the key; undefined for another author. */
export function toKeyId(text: string | null): bigint | undefined {
	return text !== null && /^\d+$/.test(text) ? BigInt(text) : undefined;
}

/** Stored as one text. */
export function authorColumn(description: string): ColumnType<string, Author> {
	const { schema, read, fromText, write, toText = String } = authorType;
	return {
		schema: { ...schema, about: schema.description ?? "", description },
		column: "TEXT",
		read: (json, name, broken) => toAuthorText(read(json, name, broken)) ?? "",
		fromText,
		write: (text) => write(fromAuthorText(text)),
		toText: (text) => toText(fromAuthorText(text)),
	};
}
