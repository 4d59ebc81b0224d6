// Reads values of replies and writes values of requests. An error of a reader names the member and its type.

type Reader<Value> = (value: unknown, name: string) => Value;

export type Members = Partial<Record<string, unknown>>;

export function object<Readers extends Record<string, Reader<unknown>>>(
	readers: Readers,
) {
	return (
		value: unknown,
		name = "the reply",
	): { readonly [Name in keyof Readers]: ReturnType<Readers[Name]> } => {
		const members: Members = { ...anObject(value, name) };
		return Object.assign(
			{},
			...Object.entries(readers).map(([member, read]) => ({
				[member]: read(members[member], member),
			})),
		);
	};
}

export function list<Item>(read: Reader<Item>): Reader<readonly Item[]> {
	return (value, name) => anArray(value, name).map((item) => read(item, name));
}

export function optional<Value>(
	read: Reader<Value>,
): Reader<Value | undefined> {
	return (value, name) => (value === undefined ? undefined : read(value, name));
}

function only<Value>(
	what: string,
	isRight: (value: unknown) => value is Value,
): Reader<Value> {
	return (value, name) => {
		if (isRight(value)) return value;
		throw new Error(`${name} is not ${what}`);
	};
}

const anObject = only(
	"an object",
	(value) => typeof value === "object" && value !== null,
);
const anArray = only<unknown[]>("an array", Array.isArray);
const aNumber = only(
	"a number",
	(value) => typeof value === "bigint" || typeof value === "number",
);

export const text = only("a string", (value) => typeof value === "string");
export const int64 = only("an int64", (value) => typeof value === "bigint");

/** A count or a measured value: a double is exact enough. */
export function number(value: unknown, name: string): number {
	return Number(aNumber(value, name));
}

/** False if absent. */
export function flag(value: unknown): boolean {
	return value === true;
}

/** Milliseconds since 1970 of an RFC 3339 time or date. */
export function time(value: unknown, name: string): number {
	const time = Date.parse(text(value, name));
	if (!Number.isNaN(time)) return time;
	throw new Error(`${name} is not a time`);
}

/** For a request that may be sent twice. Not randomUUID, which browsers have only over TLS and on localhost. */
export function toRandomName(): string {
	return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** JSON.stringify with bigints. It leaves undefined members out. */
export function toJson(value: unknown): string {
	if (typeof value === "bigint") return String(value);
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
	const members = Object.entries(value)
		.filter(([, member]) => member !== undefined)
		.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`);
	return `{${members.join(",")}}`;
}
