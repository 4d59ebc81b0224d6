// The error of a failed request, with a code of the interface or of the console.
import type { ErrorCode } from "../../../domain/errors.ts";
import type { Members } from "./values.ts";

/** `network`: no reply came. `unreadable`: something other than the service sent the reply. */
type Code = ErrorCode | "network" | "unreadable" | "session_ended";

export class ApiError extends Error {
	readonly code: string;
	readonly members: Members;

	constructor(code: string, message: string, members: Members = {}) {
		super(message);
		this.code = code;
		this.members = members;
	}
}

export function hasCode(
	error: unknown,
	...codes: readonly Code[]
): error is ApiError {
	return error instanceof ApiError && codes.some((code) => code === error.code);
}

export function toMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The error in a reply. A proxy may send a body of another form. */
export function toApiError(body: unknown, fallback: string): ApiError {
	const members: Members = { ...Object(body) };
	const { code, message } = members;
	return typeof code === "string" && typeof message === "string"
		? new ApiError(code, message, members)
		: new ApiError("unreadable", fallback);
}
