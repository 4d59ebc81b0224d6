// The kinds of faults, one record each: its schema and text, how it is read, and what it does. To add a kind, add a record here.
import { setTimeout as sleep } from "node:timers/promises";
import { challenge } from "../contract/refusals.ts";
import type { Schema } from "../contract/schemas.ts";
import {
	type ErrorCode,
	errorCodes,
	errorStatus,
	isTransient,
} from "../domain/errors.ts";
import { type Members, readWhole } from "../domain/members.ts";
import type { Reply } from "../http/reply.ts";
import type { Call } from "../http/surface.ts";
import { maxFaultDelayMs } from "../limits.ts";
import { cutAfter, cutAfterEvents, slowDown } from "./fault-streams.ts";

/** What a fault needs of the request that it is applied to. */
export interface FaultyCall {
	readonly call: Call;
	/** Does the request. Its reply, even an error, is not sent. */
	readonly doUnsent: () => Promise<void>;
	/** The errors that the operation declares. */
	readonly codes: readonly ErrorCode[];
	/** From 0 to 1, from the seed of the sandbox. */
	readonly random: () => number;
	/** Keeps the connection open although nothing is sent for this long. */
	readonly allowIdle: (ms: number) => void;
	/** Aborted when the sandbox is reset or stops. */
	readonly signal: AbortSignal;
}

/** A fault acts at one of three moments. `cut` closes the connection in place of a reply. */
interface Effects<Value> {
	/** Before the request is done. What it returns is answered, and the request is not done. */
	readonly before?: (
		value: Value,
		call: FaultyCall,
	) => Promise<Reply | "cut" | undefined>;
	/** Changes the reply of another kind. */
	readonly change?: (value: Value, reply: Reply) => Reply;
	/** After the request is done. */
	readonly after?: (
		value: Value,
		response: Response,
		call: FaultyCall,
	) => Promise<Response | "cut">;
}

interface Described {
	readonly schema: Schema;
	/** The kinds that it cannot be used together with. */
	readonly without?: readonly string[];
	/** The kind that it only makes sense with. */
	readonly needs?: string;
	/** The only operation that it is for, and the type of the replies there. */
	readonly only?: { readonly operation: string; readonly accept: string };
}

export interface FaultKind extends Described {
	readonly read: (members: Members, name: string) => FaultStep;
}

/** A kind with its value. */
export interface FaultStep {
	readonly name: string;
	readonly value: unknown;
	readonly before: (call: FaultyCall) => Promise<Reply | "cut" | undefined>;
	readonly change: (reply: Reply) => Reply;
	readonly after: (
		response: Response,
		call: FaultyCall,
	) => Promise<Response | "cut">;
}

function kind<Value>({
	read,
	before,
	change,
	after,
	...described
}: Described &
	Effects<Value> & {
		readonly read: (members: Members, name: string) => Value;
	}): FaultKind {
	return {
		...described,
		read(members, name) {
			const value = read(members, name);
			return {
				...{ name, value },
				before: async (call) => before?.(value, call),
				change: (reply) => change?.(value, reply) ?? reply,
				after: async (response, call) =>
					after === undefined ? response : after(value, response, call),
			};
		},
	};
}

export type Delay = number | readonly [number, number];

const delay = kind<Delay>({
	schema: {
		description:
			"Milliseconds to wait before the request is done, or the least and the most.",
		oneOf: [
			{ type: "integer", minimum: 0, maximum: maxFaultDelayMs },
			{
				type: "array",
				items: { type: "integer", minimum: 0, maximum: maxFaultDelayMs },
				...{ minItems: 2, maxItems: 2 },
			},
		],
	},
	read: readDelay,
	before: async (value, call) =>
		(await isReset(value, call)) ? "cut" : undefined,
});

/** Waits. Returns whether a reset has ended the wait; then the request must not be done. */
export async function isReset(
	delay: Delay,
	{
		random,
		allowIdle,
		signal,
	}: Pick<FaultyCall, "random" | "allowIdle" | "signal">,
): Promise<boolean> {
	const [least, most] = typeof delay === "number" ? [delay, delay] : delay;
	const ms = Math.round(least + random() * (most - least));
	allowIdle(ms);
	await sleep(ms, undefined, { signal }).catch(() => {});
	return signal.reason === wasReset;
}

export const wasReset = new Error("The sandbox was reset.");

const status = kind<number>({
	schema: {
		...{ type: "integer", minimum: 400, maximum: 599 },
		description: "The status of an error reply. The request is not done.",
	},
	without: ["drop", "events"],
	read: (members, name) => readWhole(members, name, 400, 599),
	before: async (value, call) => toErrorReply(value, call),
});

const retryAfter = kind<number | null>({
	schema: {
		type: ["integer", "null"],
		...{ minimum: 0, maximum: 86_400 },
		description:
			"Retry-After of the error reply, in seconds; null leaves the header out. By default 1 with 429 and 503, none with others.",
	},
	needs: "status",
	read: (members, name) =>
		members.get(name) === null
			? null
			: readWhole(members, name, 0, 86_400, "null or "),
	change(value, { own = {}, ...reply }) {
		const { "Retry-After": _, ...others } = own;
		if (value === null) return { ...reply, own: others };
		return { ...reply, own: { ...others, "Retry-After": String(value) } };
	},
});

const bodies = {
	html: [
		"<!doctype html><title>Error</title><h1>Error</h1><p>This is a fault of the sandbox.</p>\n",
		"text/html",
	],
	empty: ["", "application/json"],
	garbage: ['{"code":"inter\u0000\uFFFD', "application/json"],
} as const;

const bodyNames = ["html", "empty", "garbage"] as const;

const body = kind<(typeof bodyNames)[number]>({
	schema: {
		...{ type: "string", enum: bodyNames },
		description:
			"What the error reply has in place of the Error: a web page, nothing, or text that is no JSON.",
	},
	needs: "status",
	read: (members, name) => readOneOf(members, name, bodyNames),
	change(value, reply) {
		const [text, mediaType] = bodies[value];
		return { ...reply, body: text, mediaType };
	},
});

const moments = ["before", "after-commit", "mid-body"] as const;

const drop = kind<(typeof moments)[number]>({
	schema: {
		...{ type: "string", enum: moments },
		description:
			"Cuts the connection. `before`: the request is not done. `after-commit`: the request is done and stored, but the client gets no reply. `mid-body`: the client gets half of the reply.",
	},
	without: ["status", "bytesPerSecond", "events"],
	read: (members, name) => readOneOf(members, name, moments),
	async before(value, { doUnsent }) {
		if (value === "mid-body") return undefined;
		if (value === "after-commit") await doUnsent();
		return "cut";
	},
	after: async (_value, response) => cutAfter(response, 0.5),
});

const bytesPerSecond = kind<number>({
	schema: {
		...{ type: "integer", minimum: 1, maximum: 1_000_000_000 },
		description: "How fast the body of the reply is sent.",
	},
	without: ["drop", "events"],
	read: (members, name) => readWhole(members, name, 1, 1_000_000_000),
	after: (value, response, { signal }) => slowDown(response, value, signal),
});

const events = kind<number>({
	schema: {
		...{ type: "integer", minimum: 0, maximum: 1_000_000 },
		description:
			"Only for a stream of `listChanges`: it is cut after so many events.",
	},
	without: ["status", "drop", "bytesPerSecond"],
	only: { operation: "listChanges", accept: "text/event-stream" },
	read: (members, name) => readWhole(members, name, 0, 1_000_000),
	after: async (value, response) => cutAfterEvents(response, value),
});

/** In the order in which they act. */
export const faultKinds: Readonly<Record<string, FaultKind>> = {
	...{ delay, status, retryAfter, body, drop, bytesPerSecond, events },
};

function readDelay(members: Members, name: string): Delay {
	const value = members.get(name);
	const isMs = (one: unknown): one is bigint =>
		typeof one === "bigint" && one >= 0n && one <= maxFaultDelayMs;
	if (isMs(value)) return Number(value);
	if (Array.isArray(value) && value.length === 2 && value.every(isMs)) {
		const [least, most] = value.map(Number);
		if (least !== undefined && most !== undefined && least <= most)
			return [least, most];
	}
	throw members.invalid(
		name,
		`must be a whole number from 0 to ${maxFaultDelayMs}, or [least, most] of two`,
	);
}

export function readOneOf<const Value extends string>(
	members: Members,
	name: string,
	values: readonly Value[],
): Value {
	const value = values.find((one) => one === members.get(name));
	if (value !== undefined) return value;
	throw members.invalid(name, `must be one of ${values.join(", ")}`);
}

/** A status that the service never sends has the code `fault`. Not thrown, since the log would have a further line for it. */
function toErrorReply(status: number, { call, codes }: FaultyCall): Reply {
	const code = [...codes, ...errorCodes].find(
		(one) => errorStatus[one] === status,
	);
	const message = "This error is a fault of the sandbox.";
	return {
		...{ status, headers: call.headers },
		own: {
			...(code !== undefined && isTransient(code) && { "Retry-After": "1" }),
			...(code === "unauthenticated" && challenge),
		},
		body: JSON.stringify({ code: code ?? "fault", message, status }),
		logged: { code: code ?? "fault" },
	};
}
