// A request of the console that has failed: with a code of the interface, or with one of the console's own.
import type { ErrorCode } from "../../../domain/errors.ts";
import type { Members } from "./values.ts";

/** `network` if there was no reply, `unreadable` if something other than the service has sent it. */
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

export function hasCode(error: unknown, ...codes: readonly Code[]): boolean {
	return error instanceof ApiError && codes.some((code) => code === error.code);
}

export function toMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The error that a reply has sent. A proxy may have sent something else. */
export function toApiError(body: unknown, fallback: string): ApiError {
	const members: Members = { ...Object(body) };
	const { code, message } = members;
	return typeof code === "string" && typeof message === "string"
		? new ApiError(code, message, members)
		: new ApiError("unreadable", fallback);
}
