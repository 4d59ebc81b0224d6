// What a record of fields can say about a field, and the types that follow from it. The casts of the derived code are here, where generics
// end.
import { object } from "./object.ts";
import {
	type ColumnType,
	type JsonOf,
	type Members,
	type Stored,
	type Type,
	unlisted,
} from "./type.ts";

export interface Field {
	readonly type: ColumnType;
	/** For people: the label in a form, and the title of a column. */
	readonly title: string;
	/** Who gives the value. What people give, they may change. Of these, `/v1` takes only the members of v1/pet.ts. */
	readonly from: "people" | "service";
	/** May be absent: null inside, no member in JSON, and operators clear it with null in a patch. */
	readonly isOptional?: true;
	/** The value if none is given. */
	readonly fallback?: Stored;
	/** Whether files have it; those that people give are in files in any case. */
	readonly isInFiles?: true;
	/** Whether tables for people have no column for it. */
	readonly isUnlisted?: true;
	/** The description in documents, if it differs from that of the type. */
	readonly inRequests?: string;
	readonly inReplies?: string;
	/** Below the input of a form. */
	readonly hint?: string;
}

export type Fields = Readonly<Record<string, Field>>;

type TypeOf<Of> = Of extends { readonly type: infer Is } ? Is : never;
type Value<Of> = TypeOf<Of> extends ColumnType<infer Is> ? Is : never;
type Json<Of> = JsonOf<TypeOf<Of>>;
type Optional = { readonly isOptional: true };
type Sendable = Optional | { readonly fallback: Stored };

/** The names of the fields that have these properties. */
export type NamesOf<Of extends Fields, Properties> = {
	[Name in keyof Of]: Of[Name] extends Properties ? Name : never;
}[keyof Of];

/** Inside the service: every member is there, so that a forgotten one is a type error. */
export type Values<Of extends Fields> = {
	readonly [Name in keyof Of]: Of[Name] extends Optional
		? Value<Of[Name]> | null
		: Value<Of[Name]>;
};

/** The same, if absent members may be missing. */
export type Given<Of extends Fields> = Partial<
	Pick<Values<Of>, NamesOf<Of, Sendable>>
> &
	Omit<Values<Of>, NamesOf<Of, Sendable>>;

type Simplify<Of> = { [Name in keyof Of]: Of[Name] };

/** What a reply has. */
export type Received<Of extends Fields> = Simplify<
	{
		readonly [Name in Exclude<keyof Of, NamesOf<Of, Optional>>]: Json<Of[Name]>;
	} & {
		readonly [Name in NamesOf<Of, Optional>]?: Json<Of[Name]> | undefined;
	}
>;

/** The names of the fields that have these properties, in their order. */
export function namesOf<Of extends Fields, const Properties extends object>(
	fields: Of,
	properties: Properties,
): readonly NamesOf<Of, Properties>[] {
	return Object.entries<Field>(fields)
		.filter(([, field]) =>
			Object.entries(properties).every(
				([name, value]) => field[name as keyof Field] === value,
			),
		)
		.map(([name]) => name) as never;
}

/** A record by the names of its members, without those whose value is undefined. */
export function toRecord<Result extends object>(
	names: readonly (keyof Result)[],
	toValue: (name: keyof Result & string) => unknown,
): Result {
	const record: Partial<Record<keyof Result, unknown>> = {};
	for (const name of names) {
		const value = toValue(name as keyof Result & string);
		if (value !== undefined) record[name] = value;
	}
	return record as Result;
}

/** An object with some of the fields. Reading drops unknown members. */
export function toObjectType<Value extends object>(
	title: string,
	description: string,
	fields: Fields,
	names: readonly (keyof Value & string)[],
	toMember: (field: Field) => Type,
) {
	const members = Object.entries(fields)
		.filter(([name]) => names.some((one) => one === name))
		.map(([name, field]) => {
			const type = toMember(field);
			return [name, field.isUnlisted ? unlisted(type) : type] as const;
		});
	const type: unknown = object(title, description, Object.fromEntries(members));
	return type as Type<Value> & { readonly members: Members };
}
