// Requests to the service of this page. A whole number in a reply is a bigint, so that no digit is lost.

import { signal } from "@preact/signals";
import { parseExactly, toJson } from "../../client/json.ts";
import { toQuery } from "../../domain/text.ts";
import { base } from "../browser/base.ts";
import { clock } from "./format.tsx";

/** Besides the codes of the interface: `network` (no reply came), `unreadable` (not from the service) and `session_ended`. */
export class ApiError extends Error {
	readonly code: string;
	readonly members: Readonly<Record<string, unknown>>;
	readonly at = new Date().toISOString();

	constructor(code: string, message: string, members = {}) {
		super(message);
		this.code = code;
		this.members = members;
	}
}

export function hasCode(
	error: unknown,
	...codes: readonly string[]
): error is ApiError {
	return error instanceof ApiError && codes.includes(error.code);
}

export function toMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Why the service does not work; undefined while it does. */
export const trouble = signal<Trouble | undefined>(undefined);

interface Trouble {
	readonly message: string;
	readonly since: string;
}

/** Changes when everything must be read again. */
export const reloads = signal(0);

/** After a change, or a sign-in. */
export function reload(): void {
	reloads.value++;
}

/** What all requests of the page have in common. A page sets it once. */
export const access = {
	prefix: "",
	headers: {},
	/** Sees each error of the service, and may replace it. Not of a sign-in, whose refusal ends no session. */
	toError: (error: ApiError) => error,
};

/** When a request fails. If packets arrive, the service answers sooner: in seconds; files, backups, undo, a change of all in 2 minutes. */
export function toTimeoutMs(method: string, path: string, body?: object) {
	const isLong =
		body instanceof Blob ||
		(body !== undefined && "filter" in body) ||
		/^\/(backups|edits)/.test(path);
	return isLong && !isRead(method) ? 120_000 : 15_000;
}

/** A clock that differs less is right. */
const maxDelayMs = 30_000;

interface Options {
	/** A file is sent as it is, anything else as JSON. */
	readonly body?: object | undefined;
	readonly headers?: Readonly<Record<string, string>>;
	readonly ending?: AbortSignal | undefined;
}

/** The caller names the type of the reply: the page comes from the service that answers, so it does not check. */
export async function send<Reply>(
	method: string,
	path: string,
	options?: Options,
): Promise<Reply> {
	return (await exchange<Reply>(method, path, options)).reply;
}

/** For replies whose headers matter. */
export async function exchange<Reply>(
	method: string,
	path: string,
	options: Options = {},
): Promise<{ reply: Reply; headers: Headers }> {
	const { response, text } = await fetchText(method, path, options);
	const isOfSession = path.startsWith("/sessions");
	// After a refusal too, which may say that the page is old.
	if (!isRead(method) && !isOfSession) reload();
	const { ok, status, headers } = response;
	const reply = toReply(text);
	if (ok) {
		trouble.value = undefined;
		return { reply, headers };
	}
	// A refused HEAD has no body.
	const ofStatus = status === 401 ? "unauthenticated" : "unreadable";
	const { code = ofStatus, message = `The service sent ${status}.` } = reply;
	const error = new ApiError(code, message, reply);
	throw isOfSession ? error : access.toError(error);
}

function isRead(method: string): boolean {
	return method === "GET" || method === "HEAD";
}

async function fetchText(method: string, path: string, options: Options) {
	const { body, headers, ending } = options;
	const isJson = body !== undefined && !(body instanceof Blob);
	const timeout = AbortSignal.timeout(toTimeoutMs(method, path, body));
	try {
		const response = await fetch(base + access.prefix + path, {
			method,
			headers: {
				...access.headers,
				...(isJson && { "Content-Type": "application/json" }),
				...headers,
			},
			...(body && { body: isJson ? toJson(body) : body }),
			cache: "no-store",
			signal: AbortSignal.any(ending ? [ending, timeout] : [timeout]),
		});
		const aheadMs = Date.parse(response.headers.get("Date") ?? "") - Date.now();
		// It has whole seconds, and the reply took some time.
		clock.aheadMs = Math.abs(aheadMs) > maxDelayMs ? aheadMs : 0;
		return { response, text: await response.text() };
	} catch {
		ending?.throwIfAborted();
		const end = isRead(method) ? "" : " The change may have been saved.";
		throw new ApiError("network", `The service does not answer.${end}`);
	}
}

export function get<Reply>(path: string, ending?: AbortSignal): Promise<Reply> {
	return send<Reply>("GET", path, { ending });
}

/** All pages of a list, which has the same name in the path and in the reply. */
export async function getAll<Row>(
	list: string,
	limit: number,
	ending: AbortSignal,
): Promise<readonly Row[]> {
	const all: Row[] = [];
	let cursor: unknown;
	do {
		const path = `/${list}?${toQuery({ limit, cursor })}`;
		const page = await get<Record<string, readonly Row[]>>(path, ending);
		all.push(...(page[list] ?? []));
		cursor = page.next;
	} while (cursor !== undefined);
	return all;
}

/** For `catch`: undefined if what was asked for does not exist. */
export function unlessMissing(error: unknown): undefined {
	if (!hasCode(error, "not_found")) throw error;
}

/** Empty if it is not JSON: a proxy may have sent it. */
function toReply(text: string) {
	try {
		return Object(parseExactly(text));
	} catch {
		return {};
	}
}

/** For a request that may be sent twice. Not randomUUID, which browsers have only over TLS and on localhost. */
export function toRandomName(): string {
	return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
