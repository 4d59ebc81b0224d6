// A value as a literal of a programming language.

export interface Style {
	readonly string: (value: string) => string;
	readonly integer: (value: bigint) => string;
	readonly name: (name: string) => string;
	readonly true: string;
	readonly false: string;
	readonly null: string;
}

export function toLiteral(value: unknown, style: Style): string {
	if (typeof value === "bigint") return style.integer(value);
	if (typeof value === "boolean") return style[`${value}`];
	if (value === null) return style.null;
	if (Array.isArray(value))
		return `[${value.map((one) => toLiteral(one, style)).join(", ")}]`;
	if (typeof value === "string") return style.string(value);
	if (typeof value !== "object") return JSON.stringify(value);
	const members = Object.entries(value).map(
		([name, one]) => `${style.name(name)}: ${toLiteral(one, style)}`,
	);
	return style.name === plainName
		? `{ ${members.join(", ")} }`
		: `{${members.join(", ")}}`;
}

const plainName = (name: string) =>
	/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);

export const typescript: Style = {
	string: (value) => JSON.stringify(value),
	integer: (value) => `${value}n`,
	name: plainName,
	...{ true: "true", false: "false", null: "null" },
};

export const python: Style = {
	string: (value) => JSON.stringify(value),
	integer: String,
	name: (name) => JSON.stringify(name),
	...{ true: "True", false: "False", null: "None" },
};
