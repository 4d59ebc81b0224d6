// Reads the values of replies and writes those of requests. A reader throws an Error that names the member and what it must be.

export type Reader<Value> = (value: unknown, name: string) => Value;

export type Members = Partial<Record<string, unknown>>;

export function toMembers(value: unknown, name = "the reply"): Members {
	if (typeof value === "object" && value !== null) return { ...value };
	throw new Error(`${name} is not an object`);
}

export function object<Readers extends Record<string, Reader<unknown>>>(
	readers: Readers,
) {
	return (
		value: unknown,
		name?: string,
	): { readonly [Name in keyof Readers]: ReturnType<Readers[Name]> } => {
		const members = toMembers(value, name);
		return Object.assign(
			{},
			...Object.entries(readers).map(([member, read]) => ({
				[member]: read(members[member], member),
			})),
		);
	};
}

export function list<Item>(read: Reader<Item>): Reader<readonly Item[]> {
	return (value, name) => {
		if (Array.isArray(value)) return value.map((item) => read(item, name));
		throw new Error(`${name} is not an array`);
	};
}

export function optional<Value>(
	read: Reader<Value>,
): Reader<Value | undefined> {
	return (value, name) => (value === undefined ? undefined : read(value, name));
}

export function text(value: unknown, name: string): string {
	if (typeof value === "string") return value;
	throw new Error(`${name} is not a string`);
}

/** A number that is counted or measured, so that a double is exact enough for it. */
export function number(value: unknown, name: string): number {
	if (typeof value === "bigint" || typeof value === "number")
		return Number(value);
	throw new Error(`${name} is not a number`);
}

export function int64(value: unknown, name: string): bigint {
	if (typeof value === "bigint") return value;
	throw new Error(`${name} is not an int64`);
}

/** Absent stands for false. */
export function flag(value: unknown): boolean {
	return value === true;
}

/** Milliseconds since 1970 of an RFC 3339 time or date. */
export function time(value: unknown, name: string): number {
	const time = Date.parse(text(value, name));
	if (!Number.isNaN(time)) return time;
	throw new Error(`${name} is not a time`);
}

/** What JSON.stringify takes, and bigints. Members that are undefined are left out. */
export function toJson(value: unknown): string {
	if (typeof value === "bigint") return String(value);
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
	const members = Object.entries(value)
		.filter(([, member]) => member !== undefined)
		.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`);
	return `{${members.join(",")}}`;
}
