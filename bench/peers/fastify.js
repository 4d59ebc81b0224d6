// A pet store on Fastify and SQLite, written with care: it checks API keys, validates animals with a schema and syncs each commit.
// It rejects integers that JavaScript cannot represent exactly. Usage: node fastify.js PORT FILE
import { hash, timingSafeEqual } from "node:crypto";
import Database from "better-sqlite3";
import Fastify from "fastify";

const [, , port, file] = process.argv;
const store = openStore(file);
const app = Fastify({
	ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
});

const statuses = ["available", "pending", "sold"];
const integer = {
	type: "integer",
	minimum: Number.MIN_SAFE_INTEGER,
	maximum: Number.MAX_SAFE_INTEGER,
};
const newPet = {
	type: "object",
	required: ["name", "categoryId"],
	additionalProperties: false,
	properties: {
		name: { type: "string", minLength: 1 },
		categoryId: integer,
		status: { enum: statuses, default: "available" },
	},
};
const pet = {
	type: "object",
	properties: {
		id: integer,
		name: { type: "string" },
		categoryId: integer,
		status: { type: "string" },
	},
};
const digits = { type: "string", pattern: "^[1-9][0-9]{0,18}$" };
const listQuery = {
	type: "object",
	properties: {
		limit: { type: "string", pattern: "^([1-9][0-9]?|100)$", default: "20" },
		status: { enum: statuses },
		cursor: digits,
	},
};

const expected = digest(`Bearer ${process.env.API_KEY}`);
app.addHook("onRequest", async (request, reply) => {
	if (timingSafeEqual(digest(request.headers.authorization ?? ""), expected))
		return;
	reply.code(401).header("WWW-Authenticate", "Bearer");
	return reply.send(toError(401, "unauthorized", "A valid key is needed."));
});

app.setErrorHandler((error, _request, reply) => {
	const status = error.statusCode ?? 500;
	const message = status < 500 ? error.message : "Something went wrong.";
	reply.code(status).send(toError(status, error.code ?? "internal", message));
});

app.get(
	"/v1/pets",
	{
		schema: {
			querystring: listQuery,
			response: { 200: { type: "array", items: pet } },
		},
	},
	async (request, reply) => {
		const { limit, status, cursor } = request.query;
		const size = Number(limit);
		// One extra row shows whether another page follows.
		const found = store.list(status, cursor, size + 1);
		if (found.length > size) {
			found.pop();
			const filter = status === undefined ? "" : `status=${status}&`;
			reply.header(
				"Link",
				`</v1/pets?limit=${limit}&${filter}cursor=${found.at(-1).id}>; rel="next"`,
			);
		}
		return found;
	},
);

app.get(
	"/v1/pets/:petId",
	{
		schema: {
			params: { type: "object", properties: { petId: digits } },
			response: { 200: pet },
		},
	},
	async (request, reply) => {
		const found = store.get(Number(request.params.petId));
		if (found !== undefined) return found;
		reply.code(404);
		return toError(404, "not_found", "There is no such animal.");
	},
);

app.post(
	"/v1/pets",
	{ schema: { body: newPet, response: { 201: pet } } },
	async (request, reply) => {
		const { name, categoryId, status } = request.body;
		const id = store.add(name, categoryId, status);
		reply.code(201).header("Location", `/v1/pets/${id}`);
		return { id, name, categoryId, status };
	},
);

await app.listen({ host: "127.0.0.1", port: Number(port) });

function openStore(path) {
	const db = new Database(path);
	db.pragma("journal_mode = WAL");
	db.pragma("synchronous = FULL");
	db.exec(`CREATE TABLE IF NOT EXISTS pets (
			id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
			category_id INTEGER NOT NULL, status TEXT NOT NULL) STRICT;
		CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);`);
	const select = "SELECT id, name, category_id AS categoryId, status FROM pets";
	const list = db.prepare(`${select} WHERE id < ? ORDER BY id DESC LIMIT ?`);
	const listByStatus = db.prepare(
		`${select} WHERE status = ? AND id < ? ORDER BY id DESC LIMIT ?`,
	);
	const get = db.prepare(`${select} WHERE id = ?`);
	const add = db.prepare(
		"INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)",
	);
	return {
		list: (status, cursor = Number.MAX_SAFE_INTEGER, limit) =>
			status === undefined
				? list.all(Number(cursor), limit)
				: listByStatus.all(status, Number(cursor), limit),
		get: (id) => get.get(id),
		add: (...values) => add.run(...values).lastInsertRowid,
	};
}

function digest(text) {
	return hash("sha256", text, "buffer");
}

function toError(status, code, message) {
	return { code, message, status };
}
