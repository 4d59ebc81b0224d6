// A log record as text for people: time, level, message and fields, or a request with its reply.

export type LogRecord = Readonly<Record<string, unknown>>;

export interface TextStyle {
	readonly date: boolean;
	readonly colours: boolean;
}

/** One line, and below it the stack trace of an error, indented. */
export function toText(record: LogRecord, style: TextStyle): string {
	const { time, level, err, ...fields } = record;
	const parts = "method" in fields ? toRequestParts(fields) : toParts(fields);
	const line = [toTime(time, style), toLevel(level, style), ...parts];
	return `${line.filter(isGiven).join(" ")}\n${toErrorLines(err)}`;
}

/** In UTC, as in the JSON lines. */
function toTime(time: unknown, { date }: TextStyle): string {
	return `${String(time).slice(date ? 0 : "2026-11-16T".length, 19)}Z`;
}

function toLevel(level: unknown, { colours }: TextStyle): string {
	const text = String(level).padEnd(5);
	const colour = levelColours.get(level);
	return colours && colour !== undefined
		? `\x1b[${colour}m${text}\x1b[39m`
		: text;
}

/** The codes of green, yellow and red. */
const levelColours = new Map<unknown, number>([
	["info", 32],
	["warn", 33],
	["error", 31],
]);

function toParts({ msg, url, ...fields }: LogRecord): unknown[] {
	return [visible(msg), visible(url), ...toFields(fields)];
}

/** The columns of fixed width come first. The route is left out, since the path shows it. */
function toRequestParts(record: LogRecord): unknown[] {
	const { msg, method, path, route, code, keyId, client, ...others } = record;
	const { status, ms, requestId, ...fields } = others;
	// Only a request that was answered, or whose connection was cut, has a duration.
	const isReply = ms !== undefined;
	return [
		...(isReply ? [status ?? "cut", `${ms}ms`.padStart(6)] : [visible(msg)]),
		isReply ? visible(method).padEnd("OPTIONS".length) : visible(method),
		...[path, code].map(visible),
		...toFields({ key: keyId }),
		visible(client),
		isReply ? toShortId(visible(requestId)) : visible(requestId),
		...toFields(fields),
	];
}

/** A UUID would make most lines wrap, so only its first part is shown. The X-Request-Id of the reply and the JSON lines have all of it. */
function toShortId(requestId: string): string {
	return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(requestId)
		? requestId.slice(0, 8)
		: requestId;
}

function toFields(fields: LogRecord): string[] {
	return Object.entries(fields)
		.filter(([, value]) => isGiven(value))
		.map(([name, value]) => visible(`${name}=${toFieldText(value)}`));
}

function toFieldText(value: unknown): string {
	const isPlain = typeof value === "string" && /^[^\s"]+$/.test(value);
	return isPlain ? value : JSON.stringify(value);
}

function toErrorLines(err: unknown): string {
	if (err === undefined) return "";
	if (typeof err !== "object" || err === null || !("stack" in err))
		return indent(toFields({ err }));
	const { stack, type, message, ...fields }: LogRecord = { ...err };
	return indent([
		...String(stack).split("\n").map(visible),
		toFields(fields).join(" "),
	]);
}

function indent(lines: readonly string[]): string {
	return lines
		.filter(isGiven)
		.map((line) => `    ${line}\n`)
		.join("");
}

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== "";
}

/** Escapes control and format characters, since text from clients must not control a terminal or begin a line. */
function visible(value: unknown): string {
	return String(value ?? "").replace(
		/[\p{C}\p{Zl}\p{Zp}]/gu,
		(character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
	);
}
