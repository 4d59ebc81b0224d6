// A pet store on Fastify and SQLite, written with care: it checks API keys, validates animals with a schema and syncs each commit.
// It rejects integers that JavaScript cannot represent exactly. Usage: node fastify.js PORT FILE
import { hash, timingSafeEqual } from "node:crypto";
import Database from "better-sqlite3";
import Fastify from "fastify";
import { openStore } from "./store.js";

const [, , port, file] = process.argv;
const store = openStore(new Database(file));
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
		limit: { type: "string", pattern: "^([1-9][0-9]?|100)$" },
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
		const { pets, headers } = store.list(request.query);
		reply.headers(headers);
		return pets;
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

function digest(text) {
	return hash("sha256", text, "buffer");
}

function toError(status, code, message) {
	return { code, message, status };
}
