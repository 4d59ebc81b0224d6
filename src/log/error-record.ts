// An error as the plain data of a log record.
import type { LogRecord } from "./text.ts";

/** Its class, message, stack trace and other simple members, such as a code. Messages and stack traces of its causes follow its own. */
export function toErrorRecord(error: unknown): unknown {
	if (!(error instanceof Error)) return String(error);
	const errors = [...withCauses(error)];
	return {
		type: error.constructor.name,
		message: errors.map(({ message }) => message).join(": "),
		stack: errors.map(({ stack }) => stack).join("\ncaused by: "),
		...toMembers(error),
	};
}

function* withCauses(error: Error): Generator<Error> {
	const seen = new Set<unknown>();
	for (
		let next: unknown = error;
		next instanceof Error && !seen.has(next);
		next = next.cause
	) {
		seen.add(next);
		yield next;
	}
}

/** Only those that JSON can have: others, such as a socket, would be long, or refer to themselves. */
function toMembers(error: Error): LogRecord {
	const isSimple = ([, value]: [string, unknown]) =>
		["string", "number", "boolean"].includes(typeof value);
	return Object.fromEntries(Object.entries(error).filter(isSimple));
}
