// Restores over HTTP: what comes back, what stays, and what is refused.
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync } from "node:fs";
import { toBackupName } from "../../src/backups/folder.ts";
import { rex } from "../harness/pet.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { expectError, openService, type Service, startMs } from "../service.ts";
import { engines } from "../store/engines.ts";
import { backUp } from "./calls.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** A service in the state of a shop, with a backup of 2 animals. */
async function openShop(engine: (typeof engines)[number]) {
	const path = `${folder.path}/${crypto.randomUUID()}`;
	const own = await openService("over a socket", {
		engine,
		backups: { folder: path, keep: 5 },
	});
	for (const name of ["Rex", "Max"])
		await own.store.catalogue.addPet({ pet: { ...rex, name } });
	const backup = await backUp(own);
	return { path, own, backup };
}

function restore(
	{ call }: Service,
	name: string,
	animals: number,
): Promise<Response> {
	return call(`/operator/v1/backups/${name}/restore`, {
		method: "POST",
		body: JSON.stringify({ animals }),
	});
}

describe.each(engines)("%s", (engine) => {
	test(
		"restores a backup: keys, sessions and the catalogue stay, and it is an edit with a backup of before",
		async () => {
			const { path, own, backup } = await openShop(engine);
			const { store } = own;
			await own.call("/operator/v1/categories", {
				method: "POST",
				body: '{"name":"Dogs"}',
			});
			await store.catalogue.changePets([{ petId: 1n, set: undefined }]);
			await store.catalogue.addPet({ pet: { ...rex, categoryId: 7n } });
			const later = await own.makeKey({ name: "later", scope: "operator" });
			const position = await store.feed.last();
			const keys = await store.keys.list();
			for (const animals of [1, 3]) {
				const refused = await restore(own, backup, animals);
				await expectError(refused, "conflict", /2 animals/);
			}
			await expectError(await restore(own, "x.db", 2), "not_found");
			const reply = await restore(own, backup, 2);
			const body = await reply.json();
			expect([reply.status, body]).toEqual([
				200,
				{ animals: 2, backup: expect.stringMatching(/-2\.db$/) },
			]);
			expect(readdirSync(path).sort()).toEqual([backup, body.backup].sort());
			const authorization = `Bearer ${later}`;
			const found = await own.call("/operator/v1/pets", { authorization });
			const names = [{ name: "Max" }, { name: "Rex" }];
			expect((await found.json()).pets).toMatchObject(names);
			expect((await store.keys.list()).map(({ id }) => id)).toEqual(
				keys.map(({ id }) => id),
			);
			const categories = await own.call("/operator/v1/categories");
			expect(await categories.json()).toEqual({
				categories: [{ id: 1, pets: 2 }],
			});
			expect(await store.feed.read({ after: position, limit: 1 })).toBe("gone");
			const edits = await (await own.call("/operator/v1/edits")).json();
			const id = Number(reply.headers.get("Edit-Id"));
			expect(edits.edits).toMatchObject([
				{ id, kind: "restored", by: { kind: "key" }, added: 2, removed: 2 },
			]);
			const undo = `/operator/v1/edits/${id}/undo`;
			await expectError(await own.call(undo, { method: "POST" }), "conflict");
			expect(await store.check()).toMatchObject({ animals: 2, findings: [] });
			// The way back is the backup of before.
			expect((await restore(own, body.backup, 2)).status).toBe(200);
			expect(await store.catalogue.getPet(1n)).toBeUndefined();
			await own.close();
		},
		startMs,
	);
});

test("refuses a damaged or renamed file, and does nothing", async () => {
	const { path, own, backup } = await openShop("sqlite");
	const damaged = toBackupName("3f9a01c2", 1_000, 9);
	const bytes = await Bun.file(`${path}/${backup}`).bytes();
	await Bun.write(`${path}/${damaged}`, bytes.fill(0x58, 5 * 4096, 6 * 4096));
	const before = readdirSync(path);
	const message = /^The backup is damaged .+ First problem: [^*\n]+$/;
	await expectError(await restore(own, damaged, 9), "invalid_file", message);
	for (const [content, reason] of [
		[bytes.slice(0, -1), /^The backup is damaged [^/]+$/],
		[bytes.slice(0, 99), /^[^/]+$/],
		[new Uint8Array(), /^[^/]+$/],
	] as const) {
		await Bun.write(`${path}/${damaged}`, content);
		await expectError(await restore(own, damaged, 9), "invalid_file", reason);
	}
	expect(readdirSync(path)).toEqual(before);
	const renamed = backup.replace("-2.db", "-7.db");
	copyFileSync(`${path}/${backup}`, `${path}/${renamed}`);
	const other = /^The backup has 2 animals, and its name says 7\./;
	await expectError(await restore(own, renamed, 7), "invalid_file", other);
	expect(await own.store.check()).toMatchObject({ animals: 2 });
	await own.close();
});

test("keeps the names of authors of another catalogue, and leaves its Idempotency-Keys out", async () => {
	const [one, other] = [await openShop("sqlite"), await openShop("sqlite")];
	const key = await one.own.makeKey({ name: "Front desk" });
	await one.own.call("/v1/pets", {
		method: "POST",
		authorization: `Bearer ${key}`,
		headers: { "Idempotency-Key": "k" },
		body: '{"name":"Tom","categoryId":1}',
	});
	await one.own.call("/operator/v1/pets/1", {
		method: "PATCH",
		body: '{"name":"Lex"}',
	});
	const made = await backUp(one.own);
	copyFileSync(`${one.path}/${made}`, `${other.path}/${made}`);
	const { headers, status } = await restore(other.own, made, 3);
	expect(status).toBe(200);
	const tom = await (await other.own.call("/operator/v1/pets/3")).json();
	expect(tom.addedBy).toEqual({ kind: "key", name: "Front desk" });
	const { edits } = await (await other.own.call("/operator/v1/edits")).json();
	expect(edits).toMatchObject([
		{ id: Number(headers.get("Edit-Id")), by: { keyId: expect.anything() } },
		{ kind: "changed", by: { kind: "key", name: expect.any(String) } },
	]);
	expect(edits[1].by).not.toHaveProperty("keyId");
	const url = other.own.databaseUrl.slice("sqlite:".length);
	using db = new Database(url, { readonly: true });
	expect(db.query("SELECT 1 FROM idempotency_keys").all()).toEqual([]);
	for (const { own } of [one, other]) await own.close();
});
