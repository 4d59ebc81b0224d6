// The examples of operator-openapi.json are true: they fit their schemas, and the service gives exactly these replies.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import operatorOpenapi from "../../operator-openapi.json" with { type: "json" };
import {
	categories,
	maxCategories,
} from "../../src/contract/operator/categories.ts";
import { history } from "../../src/contract/operator/history.ts";
import { operator } from "../../src/contract/operator/interface.ts";
import { pets } from "../../src/contract/operator/pets/operations.ts";
import { status } from "../../src/contract/operator/status.ts";
import { openPetstore } from "../../src/petstore.ts";
import {
	type Call,
	type Calls,
	documentedIn,
	expectComplete,
	expectFitting,
	type NamedReply,
	named,
	repliesIn,
	replyAboveRateLimit,
	replyAfterFailure,
	replyWithoutIds,
	replyWithoutKey,
	send,
} from "../examples.ts";
import { makeKey } from "../harness/key.ts";
import { silentLog } from "../harness/log.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { type CallOptions, openService } from "../service.ts";

test("every operation has examples of its body, of its success and of each of its errors", () => {
	expectComplete(operatorOpenapi, operator.operations);
});

test("every example fits the schema of its body", () => {
	expectFitting(operatorOpenapi);
});

test("gives the replies of the examples", async () => {
	const replies = await Promise.all([
		replyToStory(),
		replyAboveRateLimit(calls),
		replyAfterFailure(calls),
		replyWithoutIds(petCalls),
	]);
	// Not beside the others: its key would not stay in the cache long enough.
	replies.push(await replyWithoutPostgres());
	const ids = Object.keys({
		...pets.operations,
		...categories.operations,
		...history.operations,
		...status.operations,
	});
	const documented = documentedIn(operatorOpenapi).filter(({ operationId }) =>
		ids.includes(operationId),
	);
	expect(withoutStatus(Object.fromEntries(replies.flat()))).toEqual(
		withoutStatus(repliesIn(documented)),
	);
}, 60_000);

/** The values of a status document differ from one service to another, so only the names of its members are compared. */
function withoutStatus(
	replies: Readonly<Record<string, { status: number; value: unknown }>>,
) {
	const name = "readStatus sqlite";
	return { ...replies, [name]: Object.keys(Object(replies[name]?.value)) };
}

const root = "/operator/v1/pets";
const rex = '{"name":"Rex","categoryId":1}';
const max = '{"name":"Max","categoryId":1}';
const sold = '{"status":"sold"}';
const oneChange = '{"changes":[{"petId":1,"set":{"status":"sold"}}]}';

const petCalls: Calls = {
	findPets: { path: root },
	countPets: { path: `${root}/count` },
	addPet: { path: root, method: "POST", body: rex },
	readPet: { path: `${root}/1` },
	changePet: { path: `${root}/1`, method: "PATCH", body: sold },
	removePet: { path: `${root}/1`, method: "DELETE" },
	changePets: { path: `${root}/batch`, method: "POST", body: oneChange },
	exportPets: { path: `${root}/export` },
	importPets: { path: `${root}/import`, method: "POST", body: rex },
	listHistory: { path: "/operator/v1/history" },
	listPetHistory: { path: `${root}/1/history` },
	restorePet: {
		path: `${root}/1/restore`,
		method: "POST",
		body: '{"version":1}',
	},
	readStatus: { path: "/operator/v1/status" },
};

const categoryPath = "/operator/v1/categories/1";
const calls: Calls = {
	...petCalls,
	listCategories: { path: "/operator/v1/categories" },
	setCategory: { path: categoryPath, method: "PUT", body: '{"name":"Dogs"}' },
	removeCategory: { path: categoryPath, method: "DELETE" },
};

const withIfMatch = (ifMatch: string) => ({ headers: { "If-Match": ifMatch } });

/** The requests of the examples, sent to an empty catalogue, and refused requests. */
async function replyToStory(): Promise<NamedReply[]> {
	const { call, makeKey, databaseUrl, close, store } =
		await openService("over a socket");
	const replies: NamedReply[] = [];
	const ask = async (
		id: string,
		name: string,
		options: CallOptions & { path?: string } = {},
	) => {
		const known = calls[id] ?? { path: "" };
		const asked = send(call, { ...known, ...options });
		replies.push(await named(`${id} ${name}`, asked));
	};
	const askAt = async (
		id: string,
		name: string,
		path: string,
		options: CallOptions = {},
	) => {
		const asked = send(call, { ...calls[id], ...options, path });
		replies.push(await named(`${id} ${name}`, asked));
	};
	const get = async (id: string, name: string, path: string) =>
		replies.push(await named(`${id} ${name}`, call(path)));

	await get("findPets", "noAnimals", root);
	await askExamples("addPet");
	await get("findPets", "twoAnimals", root);
	await get("findPets", "firstOfTwo", `${root}?limit=1`);
	// On a busy machine the animals may not be counted in time.
	while (!Object.hasOwn(Object(replies.at(-1)?.[1].value), "of")) {
		replies.pop();
		await get("findPets", "firstOfTwo", `${root}?limit=1`);
	}
	await get("findPets", "limit", `${root}?limit=0`);
	await get("findPets", "status", `${root}?status=gone`);
	await get("findPets", "categoryId", `${root}?categoryId=x`);
	await get("findPets", "id", `${root}?id=x`);
	await get("findPets", "order", `${root}?order=x`);
	await get("findPets", "cursor", `${root}?cursor=x`);
	await get("countPets", "twoAnimals", `${root}/count`);
	await get("countPets", "status", `${root}/count?status=gone`);
	await get("countPets", "categoryId", `${root}/count?categoryId=x`);
	await get("exportPets", "format", `${root}/export?format=xml`);
	await get("exportPets", "status", `${root}/export?status=gone`);
	await get("exportPets", "categoryId", `${root}/export?categoryId=x`);
	await askImports();
	await get("readPet", "animal", `${root}/1`);
	await get("readPet", "noAnimal", `${root}/99`);
	await store.backups.begin("made", Date.now());
	await store.backups.succeed("made", Date.now());
	await get("readStatus", "sqlite", "/operator/v1/status");
	await ask("listCategories", "noCategories");
	await ask("setCategory", "dogs");
	await ask("listCategories", "oneCategory");
	for (const id of ["setCategory", "removeCategory"])
		await ask(id, "categoryId", { path: "/operator/v1/categories/x" });
	await ask("setCategory", "noName", { body: '{"name":""}' });
	const another = { path: "/operator/v1/categories/2" };
	await ask("setCategory", "taken", another);
	await ask("removeCategory", "noName", another);
	nameCategories(databaseUrl);
	await ask("setCategory", "full");
	await get("listHistory", "noEntries", "/operator/v1/history");
	await askExamples("changePet");
	await askExamples("changePets");
	await get("listHistory", "newestEntry", "/operator/v1/history?limit=1");
	await get("listPetHistory", "removedAnimal", `${root}/2/history`);
	await get("listPetHistory", "noAnimal", `${root}/99/history`);
	for (const id of ["listHistory", "listPetHistory"]) {
		await get(id, "limit", `${calls[id]?.path}?limit=0`);
		await get(id, "after", `${calls[id]?.path}?after=0`);
	}

	await askAt("changePet", "noAnimal", `${root}/99`);
	await askAt("removePet", "noAnimal", `${root}/99`);
	await askAt("restorePet", "noAnimal", `${root}/99/restore`);
	await askAt("restorePet", "removed", `${root}/2/restore`, {
		...withIfMatch("*"),
		body: '{"version":2}',
	});
	for (const id of ["changePet", "removePet", "restorePet"]) {
		await ask(id, "ifMatch", withIfMatch("abc"));
		await ask(id, "changedMeanwhile", withIfMatch('"abc"'));
	}
	const entry = (more: string) => ({ body: `{"changes":[{${more}}]}` });
	await ask("changePets", "noAnimal", entry('"petId":99,"remove":true'));
	await ask(
		"changePets",
		"changedMeanwhile",
		entry('"petId":1,"remove":true,"version":1'),
	);
	await ask("changePets", "notPetChanges", entry('"petId":1,"set":{"name":5}'));
	await ask("restorePet", "noVersion", { body: '{"version":99}' });
	await ask("restorePet", "notRestoration", { body: '{"version":0}' });
	await ask("changePet", "notPetPatch", {
		body: '{"name":null,"status":"gone"}',
	});
	await ask("addPet", "notNewPet", { body: '{"name":5,"status":"gone"}' });

	const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });
	await ask("addPet", "idempotencyKey", withKey("a b"));
	await send(call, { path: root, method: "POST", body: rex, ...withKey("k") });
	await ask("addPet", "anotherAnimal", { body: max, ...withKey("k") });
	await ask("restorePet", "firstVersion");
	const second = { body: '{"version":2}' };
	await askAt("restorePet", "removedAnimal", `${root}/2/restore`, second);

	await Promise.all(
		[...["addPet", "changePet", "changePets", "restorePet"], "setCategory"].map(
			async (id) => {
				await ask(id, "notJson", { body: '{"name":"Rex",}' });
				const large = id === "changePets" ? 1024 * 1024 : 64 * 1024;
				await ask(id, "largeBody", { body: " ".repeat(large + 1) });
				const headers = { "Content-Type": "text/plain" };
				await ask(id, "mediaType", { headers });
				await ask(id, "slowBody", { body: new ReadableStream() });
			},
		),
	);
	await ask("importPets", "slowBody", { body: new ReadableStream() });
	const authorization = `Bearer ${await makeKey({ scope: "read" })}`;
	for (const id of Object.keys(calls))
		await ask(id, "readKey", { authorization });
	replies.push(...(await replyWithoutKey(call, calls)));
	await close();
	return replies;

	async function askImports() {
		const path = `${root}/import`;
		await askAt("importPets", "oneAnimal", `${path}?dryRun=true`);
		const csv = `${path}?format=csv`;
		await askAt("importPets", "format", `${path}?format=xml`);
		const bad = { body: "name,categoryId,status\nRex,1,gone\n" };
		await askAt("importPets", "badLine", csv, bad);
		const many = { body: "\n".repeat(100_001) };
		await askAt("importPets", "manyLines", csv, many);
		const monday = `${path}?importId=monday`;
		await send(call, { path: monday, method: "POST", body: "" });
		await askAt("importPets", "reusedId", monday, { body: "\n" });
		const headers = { "Content-Encoding": "gzip" };
		await ask("importPets", "mediaType", { headers });
	}

	async function askExamples(id: "addPet" | "changePet" | "changePets") {
		for (const [name, value] of Object.entries(
			pets.operations[id].examples.request,
		))
			await ask(id, name, { body: JSON.stringify(value) });
	}
}

/** Names as many categories as possible, but not category 1. */
function nameCategories(url: string): void {
	const db = new Database(url.slice("sqlite:".length));
	db.run(`DELETE FROM categories; WITH RECURSIVE ids (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM ids LIMIT ${maxCategories})
		INSERT INTO categories SELECT id, id, id FROM ids`);
	db.close();
}

/** With a key that is cached for a moment after its lookup. */
async function replyWithoutPostgres(): Promise<NamedReply[]> {
	const database = await createDatabase();
	const proxy = await startProxy(database.url);
	const service = await openPetstore({
		database: proxy.url,
		log: { to: silentLog },
	});
	const newKey = async () => {
		const { key, record } = makeKey({ scope: "operator" });
		await service.store.keys.add(record);
		return `Bearer ${key}`;
	};
	const [known, unknown] = [await newKey(), await newKey()];
	const call: Call = async (path, { authorization, headers, ...rest } = {}) =>
		service.fetch(
			new Request(`http://petstore.test${path}`, {
				method: rest.method ?? "GET",
				body: rest.body ?? null,
				headers: {
					Authorization: authorization ?? known,
					...(headers?.["Idempotency-Key"] && { "Idempotency-Key": "k" }),
				},
			}),
		);
	const replies: NamedReply[] = [];
	const ask = async (id: string, name: string, options: CallOptions = {}) => {
		const asked = { path: "", ...calls[id], ...options };
		replies.push(await named(`${id} ${name}`, send(call, asked)));
	};
	await service.store.catalogue.addPet({
		pet: { name: "Rex", categoryId: 1n, status: "available" },
	});

	for (const id of ["changePet", "changePets", "removePet", "restorePet"]) {
		proxy.dropReplyTo("changePets");
		await ask(id, "mayBeDone");
	}
	proxy.dropReplyTo("addPets");
	await ask("addPet", "mayBeAdded");
	proxy.dropReplyTo("addPets");
	const headers = { "Idempotency-Key": "k" };
	await ask("addPet", "mayBeAddedWithKey", { headers });
	await call(root);
	proxy.close();
	// At the same time, since the key is cached only for half a second.
	await Promise.all(
		Object.keys(calls).map(async (id) => {
			await ask(id, nameWithoutStore[id] ?? "storeUnavailable");
		}),
	);
	for (const id of Object.keys(calls))
		await ask(id, "keyNotLookedUp", { authorization: unknown });
	await service.stop();
	await database.remove();
	return replies;
}

const nameWithoutStore: Readonly<Record<string, string>> = {
	addPet: "nothingAdded",
	changePet: "nothingChanged",
	removePet: "nothingChanged",
	changePets: "nothingChanged",
	restorePet: "nothingChanged",
	importPets: "nothingImported",
};
