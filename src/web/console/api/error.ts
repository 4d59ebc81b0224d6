// A request of the console that has failed: with a code of the interface, or with `network` when there was no reply.
import type { ErrorCode } from "../../../domain/errors.ts";
import { type Members, toMembers } from "./values.ts";

export type Code = ErrorCode | "network" | "unreadable" | "session_ended";

export class ApiError extends Error {
	readonly code: string;
	readonly members: Members;

	constructor(
		code: Code | string,
		message: string,
		{ members = {}, ...options }: ErrorOptions & { members?: Members } = {},
	) {
		super(message, options);
		this.code = code;
		this.members = members;
	}
}

export function hasCode(error: unknown, ...codes: readonly Code[]): boolean {
	return error instanceof ApiError && codes.some((code) => code === error.code);
}

/** Whether the same request may succeed in a moment. */
export function isTransient(error: unknown): boolean {
	return hasCode(error, "network", "unavailable", "rate_limited");
}

export function toMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The error that a reply has sent. A proxy may have sent something else. */
export function toApiError(body: unknown, fallback: string): ApiError {
	try {
		const members = toMembers(body);
		const { code, message } = members;
		if (typeof code === "string" && typeof message === "string")
			return new ApiError(code, message, { members });
	} catch {}
	return new ApiError("unreadable", fallback);
}
