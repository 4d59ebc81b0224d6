// Faults to plant in the service, one at a time. The kit or another test must catch each one.

import type { Catalogue, FoundPet } from "../../src/store/catalogue.ts";
import { type Variant, variant } from "../../test/harness/variant.ts";
import { accessMutants } from "./access.ts";
import { changeMutants } from "./changes.ts";
import { transferMutants } from "./transfer.ts";

export const mutantList = {
	file: "faults/mutants/mutants.ts",
	export: "mutants",
};

export const mutants: readonly Variant[] = [
	variant(
		"limit is clamped instead of refused",
		"src/v1/list.ts",
		"listPets",
		(listPets) => (service, call) => {
			const clamped = (_: string, text: string) =>
				`limit=${Math.min(100, Math.max(1, Number(text) || 1))}`;
			const query = call.query.replace(/\blimit=([^&]*)/, clamped);
			return listPets(service, { ...call, query });
		},
	),
	variant(
		"the default limit is 10",
		"src/domain/cursor.ts",
		"limitOf",
		(limitOf) =>
			(...values) => ({ ...limitOf(...values), fallback: 10 }),
	),
	variant(
		"a parameter may be given twice",
		"src/http/operations.ts",
		"readQuery",
		(readQuery) => (query, members, broken) => {
			const first = Map.groupBy(query.split("&"), (pair) => pair.split("=")[0]);
			const pairs = [...first.values()].map(([pair]) => pair);
			return readQuery(pairs.join("&"), members, broken);
		},
	),
	variant(
		"numbers are rounded",
		"src/domain/json.ts",
		"parseJson",
		() => (bytes) =>
			mapNumbers(JSON.parse(new TextDecoder().decode(bytes)), rounded),
	),
	variant(
		"a fraction is taken for a whole number",
		"src/domain/json.ts",
		"parseJson",
		(parseJson) => (bytes, maxDepth) =>
			mapNumbers(parseJson(bytes, maxDepth), rounded),
	),
	variant(
		"the oldest animal comes first",
		"src/store/sqlite/requests/reads.ts",
		"prepareReads",
		(prepareReads) => (db, renew) => {
			const { listPets, ...others } = prepareReads(db, renew);
			return {
				...others,
				listPets: (page) => listPets(page).toReversed(),
			};
		},
	),
	variant(
		"the status filter is ignored",
		"src/store/sqlite/requests/reads.ts",
		"prepareReads",
		(prepareReads) => (db, renew) => {
			const { listPets, ...others } = prepareReads(db, renew);
			const listAll: typeof listPets = (page) =>
				listPets({ ...page, status: undefined });
			return { ...others, listPets: listAll };
		},
	),
	refusal("the challenge is missing", () => ({})),
	refusal("the challenge does not say that the key is bad", () => ({
		"WWW-Authenticate": 'Bearer realm="petstore"',
	})),
	variant(
		"the path is looked up before the key",
		"src/http/router.ts",
		"createRouter",
		(createRouter) => (surfaces) => {
			const route = createRouter(surfaces);
			const { surface } = route("/healthz");
			return (url) => {
				const target = route(url);
				return target.path === undefined ? { ...target, surface } : target;
			};
		},
	),
	variant(
		"a read key may add",
		"src/domain/api-key.ts",
		"requireScope",
		() => () => {},
	),
	variant(
		"a page repeats the last animal of the one before",
		"src/domain/cursor.ts",
		"fromCursor",
		(fromCursor) => (cursor, filter) => {
			const lastId = fromCursor(cursor, filter);
			return lastId === undefined ? undefined : lastId + 1n;
		},
	),
	withCatalogue("there is no link to the next page", "src/v1/list.ts", {
		listPets: (catalogue) => (page) =>
			catalogue.listPets({ ...page, limit: page.limit - 1 }),
	}),
	variant(
		"a cursor works under any filter",
		"src/domain/cursor.ts",
		"fromCursor",
		(fromCursor) => (cursor, filter) => {
			const [id = ""] = Buffer.from(cursor, "base64url").toString().split(".");
			return /^\d{1,18}$/.test(id) ? BigInt(id) : fromCursor(cursor, filter);
		},
	),
	withCatalogue("the Idempotency-Key is ignored", "src/v1/add.ts", {
		addPet: (catalogue) => (addition) =>
			catalogue.addPet({ ...addition, idempotency: undefined }),
	}),
	variant(
		"another animal under the same Idempotency-Key is taken for the same",
		"src/v1/add.ts",
		"toIdempotency",
		(toIdempotency) => (owner, key, pet, at) => ({
			...toIdempotency(owner, key, pet, at),
			fingerprint: "",
		}),
	),
	withCatalogue("a replay does not say so", "src/v1/add.ts", {
		addPet: (catalogue) => async (addition) => {
			const added = await catalogue.addPet(addition);
			return added.outcome === "replayed"
				? { ...added, outcome: "added" }
				: added;
		},
	}),
	variant(
		"Error.status is not the HTTP status",
		"src/http/reply.ts",
		"toErrorReply",
		(toErrorReply) => (headers, failure) => {
			const reply = toErrorReply(headers, failure);
			const body = String(reply.body).replace(/"status":\d+/, '"status":500');
			return { ...reply, body };
		},
	),
	variant(
		"the ETag never changes",
		"src/http/reply.ts",
		"toTag",
		() => () => '"always"',
	),
	variant(
		"HEAD has a body",
		"src/http/reply.ts",
		"toResponse",
		(toResponse) =>
			({ method, ...call }, ...others) =>
				toResponse(
					{ ...call, method: method === "HEAD" ? "GET" : method },
					...others,
				),
	),
	variant(
		"replies have a charset",
		"src/http/reply.ts",
		"jsonHeaders",
		(jsonHeaders) => {
			const headers = new Headers(jsonHeaders);
			headers.set("Content-Type", "application/json; charset=utf-8");
			return headers;
		},
	),
	variant(
		"getPet does not announce its removal",
		"src/http/operations.ts",
		"toOperationHeaders",
		(toOperationHeaders) =>
			(common, prefix, { deprecation: _, ...operation }) =>
				toOperationHeaders(common, prefix, operation),
	),
	variant(
		"a status of null is taken for a missing one",
		"src/domain/pet.ts",
		"toNewPet",
		(toNewPet) => (value) =>
			toNewPet(
				isObject(value) && "status" in value && value.status === null
					? { ...value, status: undefined }
					: value,
			),
	),
	variant(
		"names are trimmed",
		"src/domain/pet.ts",
		"toNewPet",
		(toNewPet) => (value) => {
			const pet = toNewPet(value);
			return { ...pet, name: pet.name.trim() };
		},
	),
	variant(
		"U+0000 in a name is accepted",
		"src/domain/pet.ts",
		"toNewPet",
		(toNewPet) => (value) =>
			isObject(value) && "name" in value && typeof value.name === "string"
				? {
						...toNewPet({ ...value, name: value.name.replaceAll("\0", "") }),
						name: value.name,
					}
				: toNewPet(value),
	),
	variant(
		"any media type is read",
		"src/http/body.ts",
		"readJsonBody",
		(readJsonBody) => (request) => {
			const headers = new Headers(request.headers);
			headers.delete("Content-Type");
			return readJsonBody(new Request(request, { headers }));
		},
	),
	largeBody(
		"a body of a declared length may have any size",
		({ headers }) => Number(headers.get("Content-Length")) > 65_536,
	),
	largeBody(
		"a chunked body may have any size",
		({ headers }) => !headers.has("Content-Length"),
	),
	variant(
		"a revoked key is accepted",
		"src/auth/keys.ts",
		"createIdentify",
		(createIdentify) => (options) => {
			const { keys } = options;
			const find: typeof keys.find = async (hash) => {
				const key = await keys.find(hash);
				return key && { ...key, revokedAt: undefined };
			};
			return createIdentify({ ...options, keys: { ...keys, find } });
		},
	),
	variant(
		"what follows the 42 characters of a key is ignored",
		"src/auth/keys.ts",
		"createAuthenticate",
		(createAuthenticate) => (identify) => {
			const authenticate = createAuthenticate(identify);
			return (request, arrivedAt) => {
				const header = request.headers.get("Authorization");
				const headers = new Headers();
				if (header !== null) headers.set("Authorization", header.slice(0, 49));
				const shortened = new Request("http://petstore.test", { headers });
				return authenticate(shortened, arrivedAt);
			};
		},
	),
	variant(
		"the database keeps the whole key",
		"src/domain/api-key.ts",
		"generateKey",
		(generateKey) => () => {
			const generated = generateKey();
			return { ...generated, prefix: generated.key };
		},
	),
	variant(
		"an error is logged with the headers of its request",
		"src/http/app.ts",
		"createApp",
		(createApp) => (options) => {
			let headers: Headers | undefined;
			const error = (fields: object, message: string) =>
				options.log.error(
					{ ...fields, headers: [...(headers ?? [])] },
					message,
				);
			const log = Object.assign(Object.create(options.log), { error });
			const app = createApp({ ...options, log });
			return (request) => {
				headers = request.headers;
				return app(request);
			};
		},
	),
	variant(
		"Retry-After of a rate limit is a second too short",
		"src/http/rate-limit.ts",
		"createRateLimiter",
		(createRateLimiter) => (rate, clock) => {
			const limitRate = createRateLimiter(rate, clock);
			return (keyHash) =>
				changingFailures(
					() => limitRate(keyHash),
					(headers) => ({
						"Retry-After": String(Number(headers["Retry-After"]) - 1),
					}),
				);
		},
	),
	variant(
		"a revocation takes five seconds",
		"src/limits.ts",
		"keyCacheMs",
		() => 5_000,
	),
	variant(
		"an expired key is accepted",
		"src/auth/keys.ts",
		"createIdentify",
		(createIdentify) => (options) =>
			createIdentify({ ...options, clock: () => 0 }),
	),
	variant(
		"an add is acknowledged without its Idempotency-Key",
		"src/store/sqlite/requests/pet-transactions.ts",
		"preparePetTransactions",
		(preparePetTransactions) => (db) => {
			const transactions = preparePetTransactions(db);
			const addPets: typeof transactions.addPets = (additions) =>
				transactions.addPets(
					additions.map((addition) => ({
						...addition,
						idempotency: undefined,
					})),
				);
			return { ...transactions, addPets };
		},
	),
	withCatalogue(
		"a repeated add whose animal was removed adds it again",
		"src/v1/add.ts",
		{
			addPet: (catalogue) => async (addition) => {
				const { pet } = addition;
				const added = await catalogue.addPet(addition);
				const isGone =
					added.outcome === "replayed" &&
					(await catalogue.getPet(added.id)) === undefined;
				return isGone ? catalogue.addPet({ pet }) : added;
			},
		},
	),
	variant(
		"the ETag of a list stays when its link to the next page goes",
		"src/http/reply.ts",
		"toTag",
		(toTag) => (body) => toTag(body.replace(/ last page$/, "")),
	),
	variant(
		"each of several changes is committed alone",
		"src/store/sqlite/requests/pet-transactions.ts",
		"preparePetTransactions",
		(preparePetTransactions) => (db) => {
			const transactions = preparePetTransactions(db);
			const changePets: typeof transactions.changePets = (
				changes,
				authored,
			) => {
				const pets: (FoundPet | undefined)[] = [];
				for (const [index, change] of changes.entries()) {
					const changed = transactions.changePets([change], authored);
					if (changed.outcome !== "changed") return { ...changed, index };
					pets.push(...changed.pets);
				}
				return { outcome: "changed", pets };
			};
			return { ...transactions, changePets };
		},
	),
	variant(
		"a change overwrites an animal that has another version",
		"src/store/sqlite/requests/pet-transactions.ts",
		"preparePetTransactions",
		(preparePetTransactions) => (db) => {
			const transactions = preparePetTransactions(db);
			const changePets: typeof transactions.changePets = (changes, authored) =>
				transactions.changePets(
					changes.map(({ petId, set }) => ({ petId, set })),
					authored,
				);
			return { ...transactions, changePets };
		},
	),
	variant(
		"commits are not synced",
		"src/store/sqlite/database.ts",
		"configure",
		(configure) => (db) => {
			configure(db);
			db.run("PRAGMA synchronous = OFF");
		},
	),
	variant(
		"/readyz says ready while it stops",
		"src/http/probes.ts",
		"toProbes",
		(toProbes) => (ping) => toProbes(ping, () => false),
	),
	statement(
		"PostgreSQL: an Idempotency-Key is taken over by a later request",
		"WHERE stored.used_at <= excluded.used_at",
		"WHERE stored.used_at <> excluded.used_at",
	),
	statement(
		"PostgreSQL: a change overwrites an animal that has another version",
		"locked.id IS NULL OR NOT",
		"locked.id IS NULL OR NULL AND NOT",
	),
	statement(
		"PostgreSQL: a change that cannot be done does not prevent the others",
		"JOIN locked USING (id)\n			WHERE NOT EXISTS (SELECT FROM refused)",
		"JOIN locked USING (id)",
	),
	statement(
		"PostgreSQL: a change that changes nothing gets a version",
		"AND (sets.name, sets.category_id, sets.status) IS DISTINCT FROM (locked.name, locked.category_id, locked.status)",
		"",
	),
	statement(
		"PostgreSQL: animals are locked in the order of the request",
		"ORDER BY id FOR UPDATE",
		"ORDER BY array_position($2::int8[], id) FOR UPDATE",
	),
	variant(
		"PostgreSQL: an add is acknowledged before it is durable",
		"src/store/postgres/connection.ts",
		"durableCommits",
		() => "set_config('synchronous_commit', 'off', false)",
	),
	...accessMutants,
	...changeMutants,
	...transferMutants,
];

/** Replaces the headers of every 401. */
function refusal(
	name: string,
	toHeaders: () => Record<string, string>,
): Variant {
	return variant(
		name,
		"src/auth/keys.ts",
		"createAuthenticate",
		(createAuthenticate) => (identify) => {
			const authenticate = createAuthenticate(identify);
			return (request, arrivedAt) =>
				changingFailures(() => authenticate(request, arrivedAt), toHeaders);
		},
	);
}

/** Runs `work`, and replaces the headers of an error that it throws or returns. */
function changingFailures<Result>(
	work: () => Result,
	toHeaders: (headers: Record<string, unknown>) => Record<string, string>,
): Result {
	const change = (error: unknown) => {
		if (error instanceof Error && "headers" in error && isObject(error.headers))
			Object.assign(error, { headers: toHeaders({ ...error.headers }) });
	};
	try {
		const result = work();
		if (result instanceof Promise) result.then(change, change);
		else change(result);
		return result;
	} catch (error) {
		change(error);
		throw error;
	}
}

/** Gives the handler of a file a catalogue with these methods replaced. */
function withCatalogue(
	name: string,
	module: "src/v1/list.ts" | "src/v1/add.ts",
	methods: {
		readonly [Name in keyof Catalogue]?: (
			catalogue: Catalogue,
		) => Catalogue[Name];
	},
): Variant {
	const change = <Service extends { readonly catalogue: Catalogue }>(
		service: Service,
	): Service => {
		const { catalogue } = service;
		const changed = {
			...catalogue,
			...(methods.listPets && { listPets: methods.listPets(catalogue) }),
			...(methods.addPet && { addPet: methods.addPet(catalogue) }),
		};
		return { ...service, catalogue: changed };
	};
	return module === "src/v1/list.ts"
		? variant(
				name,
				module,
				"listPets",
				(listPets) => (service, call) => listPets(change(service), call),
			)
		: variant(
				name,
				module,
				"addPet",
				(addPet) => (service, call) => addPet(change(service), call),
			);
}

/** Replaces a part of a statement. */
function statement(name: string, part: string, replacement: string): Variant {
	return variant(
		name,
		"src/store/postgres/database.ts",
		"toStatements",
		(toStatements) => (texts) =>
			toStatements(
				mapValues(texts, (sql) => sql.replace(part, () => replacement)),
			),
	);
}

/** Reads bodies of this kind without a limit. */
function largeBody(
	name: string,
	isUnlimited: (request: Request) => boolean,
): Variant {
	return variant(
		name,
		"src/http/body.ts",
		"readJsonBody",
		(readJsonBody) => async (request) =>
			isUnlimited(request)
				? mapNumbers(await request.json(), rounded)
				: readJsonBody(request),
	);
}

function mapNumbers(
	value: unknown,
	change: (number: number) => unknown,
): unknown {
	if (typeof value === "number") return change(value);
	return isObject(value) && !Array.isArray(value)
		? mapValues({ ...value }, (member) => mapNumbers(member, change))
		: value;
}

function rounded(number: number): unknown {
	return Number.isFinite(number) ? BigInt(Math.round(number)) : number;
}

function mapValues<Name extends string, From, To>(
	record: Readonly<Record<Name, From>>,
	change: (value: From) => To,
): Record<Name, To>;
function mapValues(
	record: Readonly<Record<string, unknown>>,
	change: (value: unknown) => unknown,
): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(record).map(([name, value]) => [name, change(value)]),
	);
}

function isObject(value: unknown): value is object {
	return typeof value === "object" && value !== null;
}
