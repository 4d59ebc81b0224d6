// The history over HTTP, and the way back.
import { describe, expect, test } from "bun:test";
import { generateToken } from "../../src/domain/access/secret.ts";
import { toPet } from "../harness/pet.ts";
import { temporaryDatabase } from "../harness/temporary.ts";
import {
	add,
	type CallOptions,
	expectError,
	idOf,
	onEachService,
} from "../service.ts";
import {
	cookieOf,
	currentPath,
	openQuietly,
	ownPage,
	sessionsPath,
} from "./calls.ts";

const rex = '{"name":"Rex","categoryId":1}';
const sold = '{"status":"sold"}';

onEachService((service) => {
	const addRex = async () => Number(idOf(await add(service(), rex)));
	const path = (id: number, below = "") => `/operator/v1/pets/${id}${below}`;
	const send = (path: string, method: string, options: CallOptions = {}) =>
		service().call(path, { method, ...options });
	const patch = (id: number, body = sold, options = {}) =>
		send(path(id), "PATCH", { body, ...options });
	const read = async (path: string) => (await service().call(path)).json();
	const entriesOf = async (id: number) =>
		(await read(path(id, "/history"))).entries;
	const restore = (id: number, version: number, headers = {}) =>
		send(path(id, "/restore"), "POST", {
			body: JSON.stringify({ version }),
			headers,
		});

	describe("History", () => {
		test("names a person who signed in by a link by the name of the link", async () => {
			const id = await addRex();
			const { token, hash } = generateToken();
			const expiresAt = Date.now() + 60_000;
			await service().store.sessions.addLink({ hash, expiresAt, name: "Eve" });
			const page = { ...ownPage, Host: "localhost" };
			const signedIn = await send(sessionsPath, "POST", {
				...{ authorization: null, headers: page },
				body: JSON.stringify({ link: token }),
			});
			const headers = { ...page, ...cookieOf(signedIn) };
			const asked = { authorization: null, headers };
			const session = await service().call(currentPath, asked);
			expect((await session.json()).name).toBe("Eve");
			await patch(id, sold, asked);
			const by = { kind: "link", name: "Eve" };
			expect((await entriesOf(id))[0].by).toEqual(by);
			const made = { ...asked, body: rex };
			const added = await send("/operator/v1/pets", "POST", made);
			expect((await added.json()).addedBy).toEqual(by);
		});
	});

	describe("Way back", () => {
		test("puts an earlier content back as a change, and a removed animal under its id", async () => {
			const id = await addRex();
			const first = await read(path(id));
			await patch(id, '{"name":"Max","categoryId":2,"status":"sold"}');
			expect((await entriesOf(id))[0].before).toEqual(first);
			const back = await restore(id, id);
			expect(back.status).toBe(200);
			const pet = await back.json();
			expect(pet).toEqual({ ...first, version: pet.version });
			const now = await service().call(path(id));
			expect(back.headers.get("ETag")).toBe(now.headers.get("ETag"));
			await send(path(id), "DELETE");
			const revived = await (await restore(id, pet.version)).json();
			expect(revived).toEqual({ ...first, version: revived.version });
			const again = await (await restore(id, revived.version)).json();
			expect(again).toEqual(revived);
			expect(await entriesOf(id)).toMatchObject(
				["added", "removed", "changed", "changed", "added"].map((kind) => ({
					kind,
				})),
			);
		});

		test("answers 404 to a version that never existed, and 412 if If-Match does not name the current ETag or the animal is removed", async () => {
			const id = await addRex();
			const { headers } = await service().call(path(id));
			const old = { "If-Match": headers.get("ETag") ?? "" };
			for (const [pet, version] of [
				[id, 987_654_321],
				[987_654_321, 1],
			] as const)
				await expectError(await restore(pet, version), "not_found");
			await patch(id);
			const refused = await restore(id, id, old);
			expect(refused.status).toBe(412);
			expect((await refused.json()).pet).toMatchObject({ status: "sold" });
			await send(path(id), "DELETE");
			for (const ifMatch of ["*", old["If-Match"]]) {
				const reply = await restore(id, id, { "If-Match": ifMatch });
				expect([reply.status, await reply.json()]).toMatchObject([
					...[412, { message: expect.stringMatching(/is removed/) }],
				]);
			}
			expect((await service().call(path(id))).status).toBe(404);
		});
	});
});

test("deletes the history and writes none if it is kept for 0", async () => {
	const { url: database, remove } = temporaryDatabase();
	const changed = async (historyMs: number) => {
		const { store, stop } = await openQuietly({ database, historyMs });
		const count = async () =>
			(await store.history.readAll({ maxPosition: 2n ** 62n, limit: 9 }))
				.entries.length;
		const { catalogue } = store;
		await catalogue.addPet({ pet: toPet({}) });
		while (historyMs === 0 && (await count()) > 0) await Bun.sleep(5);
		const name = `kept for ${historyMs}`;
		await catalogue.changePets([{ petId: 1n, set: { name } }]);
		const counted = await count();
		await stop();
		return counted;
	};
	expect(await changed(60_000)).toBe(1);
	expect(await changed(0)).toBe(0);
	remove();
});
