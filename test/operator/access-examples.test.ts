// The examples of keys and sessions in operator-openapi.json are true: the service gives these replies, with other ids, times and secrets.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import operatorOpenapi from "../../operator-openapi.json" with { type: "json" };
import { keys } from "../../src/contract/operator/keys/operations.ts";
import { sessions } from "../../src/contract/operator/sessions.ts";
import { generateToken } from "../../src/domain/token.ts";
import {
	type Calls,
	documentedIn,
	type NamedReply,
	named,
	repliesIn,
	replyAboveRateLimit,
	replyWithoutKey,
	send,
} from "../examples.ts";
import { makeKey } from "../harness/key.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { type CallOptions, openService } from "../service.ts";
import {
	call as callAny,
	currentPath,
	openQuietly,
	ownPage,
	sessionsPath,
} from "./calls.ts";

test("gives the replies of the examples", async () => {
	const replies = await Promise.all([
		replyToKeyStory(),
		replyToSessionStory(),
		replyAboveRateLimit(keyCalls),
		replyAfterFailure(),
		replyWithoutPostgres(),
	]);
	const ids = Object.keys({ ...keys.operations, ...sessions.operations });
	const documented = documentedIn(operatorOpenapi).filter(({ operationId }) =>
		ids.includes(operationId),
	);
	expect(toComparable(Object.fromEntries(replies.flat()))).toEqual(
		toComparable(repliesIn(documented)),
	);
}, 60_000);

/** Without the values that differ between services. */
function toComparable(replies: object): unknown {
	return JSON.parse(
		JSON.stringify(replies, (name, value: unknown) => {
			if (name === "keys" && Array.isArray(value))
				return value.filter((key) => key.name === "partner");
			const isOther = /^(id|key|prefix|createdAt|expiresAt|lastUsedAt|next)$/;
			return isOther.test(name) && typeof value !== "object" ? "" : value;
		}),
	);
}

const root = "/operator/v1/keys";

const keyCalls: Calls = {
	listKeys: { path: root },
	createKey: { path: root, method: "POST", body: '{"name":"x"}' },
	renameKey: { path: `${root}/1`, method: "PATCH", body: '{"name":"x"}' },
	revokeKey: { path: `${root}/1`, method: "DELETE" },
	rotateKey: {
		path: `${root}/1/rotate`,
		method: "POST",
		body: '{"overlapSeconds":0}',
	},
};

type AskOptions = CallOptions & { readonly path?: string };

/** The requests of the examples, and refused requests. */
async function replyToKeyStory(): Promise<NamedReply[]> {
	const { call, makeKey, store, close } = await openService("over a socket");
	const replies: NamedReply[] = [];
	const ask = async (id: string, name: string, options: AskOptions = {}) => {
		const asked = { path: "", ...keyCalls[id], ...options };
		replies.push(await named(`${id} ${name}`, send(call, asked)));
	};
	const json = (body: unknown) => ({ body: JSON.stringify(body) });
	await ask(
		"createKey",
		"newKey",
		json(keys.operations.createKey.examples.request.key),
	);
	const id = (await store.keys.list()).at(-1)?.id ?? 0;
	await store.keys.recordUse(id, Date.now());
	await ask("listKeys", "oneKey");
	await makeKey();
	await ask("listKeys", "morePages", { path: `${root}?limit=${id}` });
	await ask("listKeys", "limit", { path: `${root}?limit=0` });
	await ask("listKeys", "cursor", { path: `${root}?cursor=x` });
	const at = (path: string) => ({ path: `${root}/${path}` });
	const { newName } = keys.operations.renameKey.examples.request;
	await ask("renameKey", "renamedKey", { ...at(`${id}`), ...json(newName) });
	await store.keys.rename(id, "partner");
	const { aDay } = keys.operations.rotateKey.examples.request;
	await ask("rotateKey", "newSecret", { ...at(`${id}/rotate`), ...json(aDay) });
	const forgotten = { path: `${root}/${id}?forget=true` };
	await ask("revokeKey", "valid", forgotten);
	await ask("revokeKey", "forget", { path: `${root}/${id}?forget=1` });
	await store.keys.revoke(id, Date.now());
	await ask("revokeKey", "recent", forgotten);
	await ask("rotateKey", "revoked", at(`${id}/rotate`));
	const expired = await store.keys.add(outdated.record);
	await ask("rotateKey", "expired", at(`${expired.id}/rotate`));

	await ask("createKey", "noName", json({}));
	await ask("createKey", "scope", json({ name: "x", scope: "admin" }));
	const expiresAt = "2020-01-01T00:00:00Z";
	await ask("createKey", "pastExpiry", json({ name: "x", expiresAt }));
	await ask("createKey", "unknownMember", json({ name: "x", expires: 1 }));
	await ask("renameKey", "noName", json({}));
	await ask("rotateKey", "noOverlap", json({}));
	for (const [one, path] of [
		["renameKey", "999"],
		["revokeKey", "999"],
		["rotateKey", "999/rotate"],
	] as const)
		await ask(one, "noKeyWithId", at(path));
	await Promise.all(
		["createKey", "renameKey", "rotateKey"].map((one) => askBodies(one, ask)),
	);
	const authorization = `Bearer ${await makeKey({ scope: "read" })}`;
	for (const one of Object.keys(keyCalls))
		await ask(one, "readKey", { authorization });
	replies.push(...(await replyWithoutKey(call, keyCalls)));
	await close();
	return replies;
}

const outdated = makeKey({ expiresAt: 1 });

/** Bodies that every operation refuses. */
async function askBodies(
	id: string,
	ask: (id: string, name: string, options: CallOptions) => Promise<void>,
): Promise<void> {
	await ask(id, "notJson", { body: '{"name":"Rex",}' });
	await ask(id, "largeBody", { body: " ".repeat(65_537) });
	await ask(id, "mediaType", { headers: { "Content-Type": "text/plain" } });
	await ask(id, "slowBody", { body: new ReadableStream() });
}

async function replyToSessionStory(): Promise<NamedReply[]> {
	const service = await openService("over a socket");
	const { store, url, call, makeKey, close } = service;
	const replies: NamedReply[] = [];
	const page = { Origin: url };
	const ask = async (id: string, name: string, options: CallOptions = {}) => {
		const { method, path } = sessionCalls[id] ?? { method: "", path: "" };
		const headers = { ...page, ...options.headers };
		const asked = { method, authorization: null, ...options, headers };
		replies.push(await named(`${id} ${name}`, call(path, asked)));
	};
	await askBodies("signIn", (id, name, options) =>
		ask(id, name, { body: "{}", ...options }),
	);
	await ask("signIn", "noCredential", { body: "{}" });
	await ask("signIn", "invalidKey", { body: '{"key":"x"}' });
	await ask("signIn", "invalidLink", { body: '{"link":"x"}' });
	const readKey = JSON.stringify({ key: await makeKey({ scope: "read" }) });
	await ask("signIn", "readKey", { body: readKey });
	const other = { Origin: "https://evil.example", Host: "localhost" };
	const site = { "Sec-Fetch-Site": "cross-site" };
	await ask("signIn", "otherPage", { body: "{}", headers: site });
	await ask("signOut", "otherPage", {
		headers: { ...other, Cookie: "petstore=x" },
	});
	await ask("readSession", "signedOut");
	await ask("readSession", "otherSite", { headers: site });
	const secret = makeSecret("Ada");
	await store.keys.add(secret.record);
	const { token, hash } = generateToken();
	const createdAt = Date.now();
	await store.sessions.add({ hash, secretHash: secret.record.hash, createdAt });
	await ask("readSession", "signedIn", {
		headers: { Cookie: `petstore=${token}` },
	});
	const linked = generateToken();
	await store.sessions.add({
		hash: linked.hash,
		secretHash: undefined,
		name: "Ada",
		createdAt,
	});
	await ask("readSession", "signedInByLink", {
		headers: { Cookie: `petstore=${linked.token}` },
	});
	const guess = () =>
		call(sessionsPath, {
			method: "POST",
			authorization: null,
			headers: page,
			body: '{"key":"x"}',
		});
	for (let count = 0; count < 7; count++) await guess();
	replies.push(await named("signIn tooManyAttempts", guess()));
	await close();
	return replies;
}

const makeSecret = (name: string) => makeKey({ name, scope: "operator" });

const sessionCalls: Readonly<Record<string, { method: string; path: string }>> =
	{
		signIn: { method: "POST", path: sessionsPath },
		readSession: { method: "GET", path: currentPath },
		signOut: { method: "DELETE", path: currentPath },
	};

/** The headers of a page of a signed-in person. */
const signedIn = { ...ownPage, Cookie: `petstore=${generateToken().token}` };

async function replyAfterFailure(): Promise<NamedReply[]> {
	const {
		call,
		send: answer,
		databaseUrl,
		close,
	} = await openService("in process");
	const db = new Database(databaseUrl.slice("sqlite:".length));
	for (const table of ["key_secrets", "sessions", "sign_in_links"])
		db.run(`DROP TABLE ${table}`);
	db.close();
	const replies: NamedReply[] = [];
	const authorization = `Bearer ${makeKey().key}`;
	for (const [id, options] of Object.entries(keyCalls))
		replies.push(
			await named(`${id} failure`, send(call, options, authorization)),
		);
	replies.push(...(await askSessions(answer, () => "failure")));
	await close();
	return replies;
}

async function replyWithoutPostgres(): Promise<NamedReply[]> {
	const database = await createDatabase();
	const proxy = await startProxy(database.url);
	const service = await openQuietly({ database: proxy.url });
	const [known, unknown] = [makeSecret("a"), makeSecret("b")];
	for (const { record } of [known, unknown])
		await service.store.keys.add(record);
	const ask = async (id: string, name: string, key: string) => {
		const { path = "", method, body } = keyCalls[id] ?? {};
		const options = { method: method ?? "GET", key, body };
		const reply = callAny(service.fetch, path, options);
		return named(`${id} ${name}`, reply);
	};
	proxy.dropReplyTo("addKey");
	const replies = [await ask("createKey", "mayBeMade", known.key)];
	await ask("listKeys", "", known.key);
	proxy.close();
	const ids = Object.keys(keyCalls);
	// At the same time, since the key is cached only for half a second.
	replies.push(
		...(await Promise.all(
			ids.map((id) => {
				const name = id === "createKey" ? "noKeyMade" : "storeUnavailable";
				return ask(id, name, known.key);
			}),
		)),
	);
	for (const id of ids)
		replies.push(await ask(id, "keyNotLookedUp", unknown.key));
	const toName = (id: string) =>
		id === "readSession" ? "sessionNotLookedUp" : "storeUnavailable";
	replies.push(...(await askSessions(service.fetch, toName)));
	await service.stop();
	await database.remove();
	return replies;
}

function askSessions(
	answer: Parameters<typeof callAny>[0],
	toName: (id: string) => string,
): Promise<NamedReply[]> {
	return Promise.all(
		Object.entries(sessionCalls).map(([id, { method, path }]) => {
			const link = generateToken().token;
			const body = id === "signIn" ? { link } : undefined;
			const asked = { method, body, headers: signedIn };
			return named(`${id} ${toName(id)}`, callAny(answer, path, asked));
		}),
	);
}
