// A pet store on Hono and bun:sqlite, written with care: it checks API keys, validates animals and syncs each commit.
// It rejects integers that JavaScript cannot represent exactly, and answers a scheme other than Bearer with Hono's own 400.
// Usage: bun hono.js PORT FILE
import { Database } from "bun:sqlite";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { HTTPException } from "hono/http-exception";
import { openStore } from "./store.js";

const [, , port, file] = process.argv;
const store = openStore(new Database(file, { create: true }));
const statuses = ["available", "pending", "sold"];
const app = new Hono().basePath("/v1");

app.onError((error, context) => {
	const status = error instanceof HTTPException ? error.status : 500;
	const message = status < 500 ? error.message : "Something went wrong.";
	return context.json({ code: `http_${status}`, message, status }, status);
});
app.use(bearerAuth({ token: process.env.API_KEY }));

app.get("/pets", (context) => {
	const { limit, status, cursor } = context.req.query();
	if (limit !== undefined && !/^([1-9]\d?|100)$/.test(limit))
		refuse("limit must be from 1 to 100.");
	if (status !== undefined && !statuses.includes(status))
		refuse("status is unknown.");
	if (cursor !== undefined && !isId(cursor)) refuse("cursor is malformed.");
	const { pets, headers } = store.list({ limit, status, cursor });
	return context.json(pets, 200, headers);
});

app.get("/pets/:petId", (context) => {
	const id = context.req.param("petId");
	const found = isId(id) ? store.get(Number(id)) : null;
	if (found === null)
		throw new HTTPException(404, { message: "There is no such animal." });
	return context.json(found);
});

app.post("/pets", async (context) => {
	const pet = toNewPet(await readJson(context.req));
	const id = store.add(pet.name, pet.categoryId, pet.status);
	return context.json({ id, ...pet }, 201, { Location: `/v1/pets/${id}` });
});

Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: app.fetch });

async function readJson(request) {
	try {
		return await request.json();
	} catch {
		return refuse("The body is not JSON.");
	}
}

function toNewPet(value) {
	if (typeof value !== "object" || value === null || Array.isArray(value))
		refuse("The body must be an object.");
	const { name, categoryId, status = "available", ...others } = value;
	if (typeof name !== "string" || name === "") refuse("name must be a text.");
	if (!Number.isSafeInteger(categoryId)) refuse("categoryId must be a number.");
	if (!statuses.includes(status)) refuse("status is unknown.");
	if (Object.keys(others).length > 0) refuse("There are unknown members.");
	return { name, categoryId, status };
}

function isId(text) {
	return /^[1-9]\d{0,18}$/.test(text);
}

function refuse(message) {
	throw new HTTPException(400, { message });
}
