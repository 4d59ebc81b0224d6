// Writes JSON with exact int64.

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
