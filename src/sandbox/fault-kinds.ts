// The kinds of faults, one record each: its value, effects and limits. To add a kind, add a record here.
import { setTimeout as sleep } from "node:timers/promises";
import { challenge } from "../contract/refusals.ts";
import { type ErrorCode, errorCodes, errorStatus } from "../domain/errors.ts";
import { type Members, readWhole } from "../domain/members.ts";
import type { OwnHeaders, Reply } from "../http/reply.ts";
import type { Call } from "../http/surface.ts";
import { maxFaultDelayMs } from "../limits.ts";
import { cutInHalf, slowDown } from "./fault-streams.ts";
import { oneOf, type RuleValue, whole } from "./rule-values.ts";

/** What a fault needs to know of its request. */
export interface FaultyCall {
	readonly call: Call;
	/** Runs the request without sending its reply, even an error. */
	readonly doUnsent: () => Promise<void>;
	/** The errors that the operation declares. */
	readonly codes: readonly ErrorCode[];
	/** From 0 to 1, from the seed of the sandbox. */
	readonly random: () => number;
	/** Aborted when the sandbox is reset or stops. */
	readonly signal: AbortSignal;
}

/** A fault acts at one of three moments. `cut` closes the connection instead of replying. */
export interface Effects {
	/** Before the request runs. If it returns a reply, the request does not run. */
	readonly before?: (call: FaultyCall) => Promise<Reply | "cut" | undefined>;
	/** Changes the reply of another fault. */
	readonly change?: (reply: Reply) => Reply;
	/** After the request has run. The signal is that of `FaultyCall`. */
	readonly after?: (
		response: Response,
		signal: AbortSignal,
	) => Promise<Response | "cut">;
}

interface Limits {
	/** The kinds that it cannot be combined with. */
	readonly without?: readonly string[];
	/** The kind that it requires. */
	readonly needs?: string;
}

/** A kind with its value. */
export interface FaultStep extends Effects {
	readonly name: string;
	readonly value: unknown;
}

export type FaultKind = RuleValue<FaultStep> & Limits;

function kind<Value>(
	{ schema, read }: RuleValue<Value>,
	toEffects: (value: Value) => Effects,
	limits: Limits = {},
): FaultKind {
	return {
		...limits,
		schema,
		read(members, name) {
			const value = read(members, name);
			return { name, value, ...toEffects(value) };
		},
	};
}

export type Delay = number | readonly [number, number];

const ms = { type: "integer", minimum: 0, maximum: maxFaultDelayMs };

const delay = kind(
	{
		schema: {
			description:
				"Milliseconds to wait before the request is done, or [minimum, maximum].",
			oneOf: [ms, { type: "array", items: ms, minItems: 2, maxItems: 2 }],
		},
		read: readDelay,
	},
	toDelay,
);

/** A reset ends the wait and drops the request. */
function toDelay(delay: Delay): Effects {
	return {
		async before({ call: { source, request }, random, signal }) {
			const ms = toMs(delay, random);
			source.allowIdle(request, ms);
			await sleep(ms, undefined, { signal }).catch(() => {});
			return signal.reason === wasReset ? "cut" : undefined;
		},
	};
}

export function toMs(delay: Delay, random: () => number): number {
	const [least, most] = typeof delay === "number" ? [delay, delay] : delay;
	return Math.round(least + random() * (most - least));
}

export const wasReset = new Error("The sandbox was reset.");

const status = kind(
	whole("The status of an error reply. The request is not done.", 400, 599),
	(value) => ({ before: async (call) => toErrorReply(value, call) }),
	{ without: ["drop"] },
);

const maxRetryAfter = 86_400;

const retryAfter = kind(
	{
		schema: {
			type: ["integer", "null"],
			minimum: 0,
			maximum: maxRetryAfter,
			description:
				"Retry-After of the error reply, in seconds; null leaves the header out. By default 1 with 429 and 503, none with others.",
		},
		read: (members, name) =>
			members.get(name) === null
				? null
				: readWhole(members, name, 0, maxRetryAfter, "null or "),
	},
	(value) => ({
		change({ own = {}, ...reply }) {
			const { "Retry-After": _, ...others } = own;
			if (value === null) return { ...reply, own: others };
			return { ...reply, own: { ...others, "Retry-After": String(value) } };
		},
	}),
	{ needs: "status" },
);

const bodies = {
	html: {
		body: "<!doctype html><title>Error</title><h1>Error</h1><p>This is a fault of the sandbox.</p>\n",
		mediaType: "text/html",
	},
	empty: { body: "", mediaType: "application/json" },
	garbage: {
		body: '{"code":"inter\u0000\uFFFD',
		mediaType: "application/json",
	},
};

const body = kind(
	oneOf(
		"Body of the error reply in place of the Error: a web page, nothing, or text that is not JSON.",
		["html", "empty", "garbage"],
	),
	(value) => ({ change: (reply) => ({ ...reply, ...bodies[value] }) }),
	{ needs: "status" },
);

const drop = kind(
	oneOf(
		"Cuts the connection. `before`: the request is not done. `after-commit`: the request is done and stored, but the client gets no reply. `mid-body`: the client gets half of the reply.",
		["before", "after-commit", "mid-body"],
	),
	(moment) =>
		moment === "mid-body"
			? { after: cutInHalf }
			: {
					async before({ doUnsent }) {
						if (moment === "after-commit") await doUnsent();
						return "cut";
					},
				},
	{ without: ["status", "bytesPerSecond"] },
);

const bytesPerSecond = kind(
	whole("How fast the body of the reply is sent.", 1, 1_000_000_000),
	(value) => ({
		after: async (response, signal) => slowDown(response, value, signal),
	}),
	{ without: ["drop"] },
);

/** In the order in which they act. */
export const faultKinds: Readonly<Record<string, FaultKind>> = {
	delay,
	status,
	retryAfter,
	body,
	drop,
	bytesPerSecond,
};

function readDelay(members: Members, name: string): Delay {
	const value = members.get(name);
	const [least, most, ...more] = [value].flat();
	if (isMs(value)) return Number(value);
	if (isMs(least) && isMs(most) && least <= most && more.length === 0)
		return [Number(least), Number(most)];
	throw members.invalid(
		name,
		`must be a whole number from 0 to ${maxFaultDelayMs}, or [minimum, maximum]; in Sandbox-Fault minimum-maximum`,
	);
}

function isMs(value: unknown): value is bigint {
	return typeof value === "bigint" && value >= 0n && value <= maxFaultDelayMs;
}

/** A status that the service never sends has the code `fault`. Not thrown, since that would log another line. */
function toErrorReply(status: number, { codes }: FaultyCall): Reply {
	const code = [...codes, ...errorCodes].find(
		(one) => errorStatus[one] === status,
	);
	const message = "This error is a fault of the sandbox.";
	return {
		status,
		own: ownHeaders[status] ?? {},
		body: JSON.stringify({ code: code ?? "fault", message, status }),
		logged: { code: code ?? "fault" },
	};
}

/** As RFC 9110 requires. No fault applies to OPTIONS. */
const ownHeaders: Readonly<Record<number, OwnHeaders>> = {
	401: challenge,
	405: { Allow: "OPTIONS" },
	429: { "Retry-After": "1" },
	503: { "Retry-After": "1" },
};
