// Faults to plant in the service, one at a time. Each must be caught.

export interface Mutant {
	/** What the service does wrong. */
	readonly fault: string;
	readonly file: string;
	/** This text of the file becomes that. */
	readonly from: string;
	readonly to: string;
}

export const mutants: readonly Mutant[] = [
	{
		fault: "limit is clamped instead of refused",
		file: "src/parameter.ts",
		from: "if (value >= minimum && value <= maximum) return value;",
		to: "return Math.min(maximum, Math.max(minimum, value || minimum));",
	},
	{
		fault: "the default limit is 10",
		file: "src/contract.ts",
		from: "default: 20,",
		to: "default: 10,",
	},
	{
		fault: "a parameter may be given twice",
		file: "src/parameter.ts",
		from: "if (another !== undefined)",
		to: 'if (another === "never")',
	},
	{
		fault: "numbers are rounded",
		file: "src/json.ts",
		from: "(toInt64(context.source) ?? value)",
		to: "(Number.isSafeInteger(Math.round(value)) ? BigInt(Math.round(value)) : BigInt(value))",
	},
	{
		fault: "a fraction is taken for a whole number",
		file: "src/json.ts",
		from: "if (zeros < 0 ||",
		to: "if (zeros < -1 ||",
	},
	{
		fault: "the oldest animal comes first",
		file: "src/store/sqlite-reads.ts",
		from: "FROM pets WHERE id <= ? ORDER BY id DESC LIMIT ?",
		to: "FROM pets WHERE id <= ? ORDER BY id LIMIT ?",
	},
	{
		fault: "the status filter is ignored",
		file: "src/store/sqlite-reads.ts",
		from: "status === undefined\n",
		to: "status !== undefined || status === undefined\n",
	},
	{
		fault: "the challenge is missing",
		file: "src/auth.ts",
		from: '{ headers: { "WWW-Authenticate": challenge } },',
		to: "{},",
	},
	{
		fault: "the challenge does not tell of a bad key",
		file: "src/auth.ts",
		from: ', error="invalid_token"',
		to: "",
	},
	{
		fault: "the path is looked up before the key",
		file: "src/app.ts",
		from: "		// Before anything is said of path or method: a stranger learns nothing.\n",
		to: "		allowed(match);\n",
	},
	{
		fault: "a read key may add",
		file: "src/app.ts",
		from: 'identity.scope === "read"',
		to: 'identity.scope === "never"',
	},
	{
		fault: "a page repeats the last animal of the one before",
		file: "src/operations.ts",
		from: "fromCursor(asked.cursor, asked.status) - 1n",
		to: "fromCursor(asked.cursor, asked.status)",
	},
	{
		fault: "there is no link to the next page",
		file: "src/operations.ts",
		from: "limit: asked.limit + 1,",
		to: "limit: asked.limit,",
	},
	{
		fault: "a cursor works under any filter",
		file: "src/cursor.ts",
		from: "toCursor(lastId, status) === cursor",
		to: "cursor !== status",
	},
	{
		fault: "the Idempotency-Key is ignored",
		file: "src/operations.ts",
		from: "if (key === undefined) return undefined;",
		to: "return undefined;",
	},
	{
		fault:
			"another animal under the same Idempotency-Key is taken for the same",
		file: "src/store/sqlite-writes.ts",
		from: "earlier.fingerprint === fingerprint",
		to: "earlier !== null",
	},
	{
		fault: "a replay does not say so",
		file: "src/operations.ts",
		from: 'added.outcome === "replayed"',
		to: "false",
	},
	{
		fault: "Error.status is not the HTTP status",
		file: "src/reply.ts",
		from: "const body: ErrorBody = { code, message, status };",
		to: "const body: ErrorBody = { code, message, status: 500 };",
	},
	{
		fault: "the ETag never changes",
		file: "src/reply.ts",
		from: ".slice(0, 22)",
		to: ".slice(0, 0)",
	},
	{
		fault: "HEAD has a body",
		file: "src/reply.ts",
		from: 'request.method !== "HEAD"',
		to: "true",
	},
	{
		fault: "replies have a charset",
		file: "src/reply.ts",
		from: '"Content-Type": "application/json"',
		to: '"Content-Type": "application/json; charset=utf-8"',
	},
	{
		fault: "getPet does not tell of its removal",
		file: "src/reply.ts",
		from: "...(deprecation && toDeprecationHeaders(deprecation)),",
		to: "",
	},
	{
		fault: "a status of null is taken for a missing one",
		file: "src/pet.ts",
		from: "if (value === undefined) return defaultPetStatus;",
		to: "if (value == null) return defaultPetStatus;",
	},
	{
		fault: "names are trimmed",
		file: "src/pet.ts",
		from: "	else return value;",
		to: "	else return value.trim();",
	},
	{
		fault: "U+0000 is let through",
		file: "src/pet.ts",
		from: 'value.includes("\\0")',
		to: 'value.includes("never-in-a-name")',
	},
	{
		fault: "any media type is read",
		file: "src/body.ts",
		from: "if (type !== null && !jsonType.test(type))",
		to: 'if (type === "never" && !jsonType.test(type))',
	},
	{
		fault: "a body of a declared length may have any size",
		file: "src/body.ts",
		from: "if (Number(length) > maxBodyBytes) throw tooLarge();",
		to: "",
	},
	{
		fault: "a chunked body may have any size",
		file: "src/body.ts",
		from: "if (size > maxBodyBytes) throw tooLarge();",
		to: "",
	},
	{
		fault: "a revoked key is accepted",
		file: "src/auth.ts",
		from: 'if (revokedAt !== undefined) throw refuse("The API key was revoked.");',
		to: "void revokedAt;",
	},
	{
		fault: "what follows the 42 characters of a key is ignored",
		file: "src/auth.ts",
		from: "const text = bearerToken(authorization);",
		to: "const text = bearerToken(authorization).slice(0, 42);",
	},
	{
		fault: "the database keeps the whole key",
		file: "src/key.ts",
		from: "prefix: key.slice(0, 8),",
		to: "prefix: key,",
	},
	{
		fault: "an error is logged with the headers of its request",
		file: "src/app.ts",
		from: "{ requestId, route, err },",
		to: "{ requestId, route, err, headers: [...exchange.request.headers] },",
	},
	{
		fault: "Retry-After of a rate limit is a second too short",
		file: "src/rate-limit.ts",
		from: "Math.ceil((waitMs - forgivenMs)",
		to: "Math.floor((waitMs - forgivenMs)",
	},
	{
		fault: "a revocation takes five seconds",
		file: "src/auth.ts",
		from: "const rememberMs = 500;",
		to: "const rememberMs = 5_000;",
	},
	{
		fault: "an expired key is accepted",
		file: "src/auth.ts",
		from: "expiresAt <= now",
		to: "expiresAt <= 0",
	},
	{
		fault: "an add is acknowledged without its Idempotency-Key",
		file: "src/store/sqlite-writes.ts",
		from: "statements.saveIdempotencyKey.run(owner, key, fingerprint, id, at);",
		to: "",
	},
	{
		fault: "an id is given twice after its animal is gone",
		file: "src/store/sqlite-schema.ts",
		from: "PRIMARY KEY AUTOINCREMENT, -- AUTO",
		to: "PRIMARY KEY, -- AUTO",
	},
	{
		fault: "commits are not synced",
		file: "src/store/sqlite-schema.ts",
		from: "PRAGMA synchronous = FULL",
		to: "PRAGMA synchronous = OFF",
	},
	{
		fault: "/readyz says ready while it stops",
		file: "src/server.ts",
		from: "app.announceStop();",
		to: "",
	},
	{
		fault:
			"PostgreSQL: an Idempotency-Key is taken over by whoever comes later",
		file: "src/store/postgres.ts",
		from: "WHERE kept.used_at <= excluded.used_at",
		to: "WHERE kept.used_at <> excluded.used_at",
	},
	{
		fault: "PostgreSQL: an add is acknowledged before it is durable",
		file: "src/store/postgres-database.ts",
		from: "set_config('synchronous_commit', 'on', false)",
		to: "set_config('synchronous_commit', 'off', false)",
	},
];
