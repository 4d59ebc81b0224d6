// One animal in the operator interface: add, read, change and remove it.
import { describe, expect, test } from "bun:test";
import { expectError, onEachService, type Service } from "../service.ts";

const pets = "/operator/v1/pets";
const json = (value: unknown) => JSON.stringify(value);

async function addRex({
	call,
}: Service): Promise<{ path: string; tag: string }> {
	const body = json({ name: "Rex", categoryId: 1 });
	const added = await call(pets, { method: "POST", body });
	const path = added.headers.get("Location") ?? "";
	return { path, tag: await readTag(call, path) };
}

async function readTag(call: Service["call"], path: string): Promise<string> {
	return (await call(path)).headers.get("ETag") ?? "";
}

onEachService((service) => {
	const patch = (
		path: string,
		body: string,
		headers: Record<string, string> = {},
	) => service().call(path, { method: "PATCH", body, headers });
	const remove = (path: string, headers: Record<string, string> = {}) =>
		service().call(path, { method: "DELETE", headers });

	describe("addPet", () => {
		test("adds an animal and gives its address in the operator interface", async () => {
			const { call } = service();
			const added = await call(pets, {
				method: "POST",
				body: '{"name":"Rex","categoryId":9223372036854775807}',
			});
			expect(added.status).toBe(201);
			const text = await added.text();
			const members =
				'"name":"Rex","categoryId":9223372036854775807,"status":"available"';
			expect(text).toContain(members);
			const location = added.headers.get("Location") ?? "";
			expect(location).toMatch(/^\/operator\/v1\/pets\/\d+$/);
			expect(await (await call(location)).text()).toBe(text);
			const seen = await call(location.replace("/operator", ""));
			expect(await seen.text()).toBe(`{"id":${idOf(location)},${members}}`);
		});

		test("gives the first reply again for the same Idempotency-Key, even after the animal was removed", async () => {
			const { call } = service();
			const options = {
				method: "POST",
				body: json({ name: "Ida", categoryId: 1 }),
				headers: { "Idempotency-Key": "ida" },
			};
			const first = await (await call(pets, options)).text();
			await remove(`${pets}/${JSON.parse(first).id}`);
			const again = await call(pets, options);
			expect(again.headers.get("Idempotency-Replayed")).toBe("true");
			expect(await again.text()).toBe(first);
		});
	});

	describe("Changing an animal", () => {
		test("replaces the members of the patch, and /v1 shows them", async () => {
			const { path, tag } = await addRex(service());
			const changed = await patch(path, '{"status":"sold","name":"Rexi"}');
			expect(changed.status).toBe(200);
			const text = await changed.text();
			expect(JSON.parse(text)).toMatchObject({
				name: "Rexi",
				categoryId: 1,
				status: "sold",
			});
			const newTag = changed.headers.get("ETag") ?? "";
			expect(newTag).not.toBe(tag);
			expect(await readTag(service().call, path)).toBe(newTag);
			const seen = await service().call(path.replace("/operator", ""));
			const { id, name, categoryId, status } = JSON.parse(text);
			expect([await seen.text(), seen.headers.get("ETag")]).toEqual([
				json({ id, name, categoryId, status }),
				newTag,
			]);
		});

		test("keeps every digit and every character", async () => {
			const { path } = await addRex(service());
			const name = '\u{1F415} 犬 é é \\" ';
			const categoryId = "-9223372036854775808";
			const body = `{"name":${json(name)},"categoryId":${categoryId}}`;
			const text = await (await patch(path, body)).text();
			expect(text).toContain(`"categoryId":${categoryId},`);
			expect(JSON.parse(text).name).toBe(name);
			expect(await (await service().call(path)).text()).toBe(text);
		});

		test("takes a merge patch by either of its media types", async () => {
			const { path } = await addRex(service());
			for (const type of ["application/merge-patch+json", "application/json"]) {
				const headers = { "Content-Type": type };
				const changed = await patch(path, '{"status":"pending"}', headers);
				expect(changed.status).toBe(200);
			}
			const text = { "Content-Type": "text/plain" };
			await expectError(
				await patch(path, "{}", text),
				"unsupported_media_type",
			);
		});

		test("changes nothing for an empty patch or unknown members", async () => {
			const { path, tag } = await addRex(service());
			for (const body of ["{}", '{"id":99,"colour":"red"}']) {
				const changed = await patch(path, body);
				expect([changed.status, changed.headers.get("ETag")]).toEqual([
					200,
					tag,
				]);
			}
		});

		test.each([
			['{"name":null}', "name cannot be null."],
			["[]", "The body must be a JSON object."],
			["null", "The body must be a JSON object."],
			[
				'{"name":5,"categoryId":null,"status":"gone"}',
				"name must be a string. categoryId cannot be null. status must be one of available, pending, sold.",
			],
			['{"name":"a\\u0000b"}', "name must not contain the character U+0000."],
			[
				'{"categoryId":9223372036854775808}',
				"categoryId must be a whole number from -9223372036854775808 to 9223372036854775807.",
			],
		])("refuses %s and names the rule", async (body, message) => {
			const { path, tag } = await addRex(service());
			const refused = await patch(path, body);
			await expectError(refused, "invalid_body", exactly(message));
			expect(await readTag(service().call, path)).toBe(tag);
		});

		test.each(["99999999", "0", "x", "9223372036854775808"])(
			"answers 404 for the animal %s",
			async (id) => {
				const path = `${pets}/${id}`;
				await expectError(await patch(path, "{}"), "not_found");
				await expectError(await remove(path), "not_found");
				const any = { "If-Match": "*" };
				await expectError(await patch(path, "{}", any), "not_found");
				await expectError(await remove(path, any), "not_found");
			},
		);
	});

	describe("If-Match", () => {
		test("changes an animal only if it still has one of the ETags", async () => {
			const { path, tag } = await addRex(service());
			const body = '{"status":"sold"}';
			for (const ifMatch of ['"other"', `W/${tag}`, 'W/"x", "y"'])
				await expectError(
					await patch(path, body, { "If-Match": ifMatch }),
					"precondition_failed",
					/If-Match does not name its ETag/,
				);
			expect(await readTag(service().call, path)).toBe(tag);
			const list = { "If-Match": `"other", ${tag} ,W/"x"` };
			expect((await patch(path, body, list)).status).toBe(200);
			await expectError(
				await patch(path, "{}", { "If-Match": tag }),
				"precondition_failed",
			);
			expect((await patch(path, "{}", { "If-Match": "*" })).status).toBe(200);
		});

		test("removes an animal only if it still has one of the ETags", async () => {
			const { path, tag } = await addRex(service());
			const changed = await patch(path, '{"status":"sold"}');
			await expectError(
				await remove(path, { "If-Match": tag }),
				"precondition_failed",
			);
			const newTag = changed.headers.get("ETag") ?? "";
			const removed = await remove(path, { "If-Match": newTag });
			expect(removed.status).toBe(204);
		});

		test("answers 404 if the animal does not exist, whatever the ETag", async () => {
			const { path, tag } = await addRex(service());
			await remove(path);
			for (const ifMatch of [tag, "*", '"other"']) {
				const headers = { "If-Match": ifMatch };
				await expectError(await remove(path, headers), "not_found");
				await expectError(await patch(path, "{}", headers), "not_found");
			}
		});

		test("executes one of several changes with the same ETag at the same time", async () => {
			const { path, tag } = await addRex(service());
			const replies = await Promise.all(
				Array.from({ length: 8 }, (_, count) =>
					patch(path, json({ name: `Rex ${count}` }), { "If-Match": tag }),
				),
			);
			const statuses = replies.map(({ status }) => status).sort();
			expect(statuses).toEqual([200, ...Array(7).fill(412)]);
		});

		test.each([
			...["abc", '"abc', "", "*, *", '"a" b', '"a" TAG', '"a"TAG', "TAG x"],
			...["*, TAG", "w/TAG", '"a b", TAG', "TAG; TAG", ",,"],
		])("refuses the text %p", async (text) => {
			const { path, tag } = await addRex(service());
			const headers = { "If-Match": text.replaceAll("TAG", tag) };
			const message = /^If-Match must be \*, or ETags in double quotes/;
			for (const reply of [
				await patch(path, "{}", headers),
				await remove(path, headers),
			])
				await expectError(reply, "invalid_parameter", message);
		});

		test("accepts empty members of a list", async () => {
			const { path, tag } = await addRex(service());
			const headers = { "If-Match": `, "a" ,,\t${tag} ,` };
			expect((await patch(path, "{}", headers)).status).toBe(200);
		});
	});

	describe("Removing an animal", () => {
		test("answers 204, the second time 404, and no interface shows the animal again", async () => {
			const { path } = await addRex(service());
			const removed = await remove(path);
			expect([removed.status, await removed.text()]).toEqual([204, ""]);
			await expectError(await remove(path), "not_found");
			await expectError(await service().call(path), "not_found");
			const seen = await service().call(path.replace("/operator", ""));
			await expectError(seen, "not_found");
		});
		test("does not use the id of the newest animal again", async () => {
			const first = await addRex(service());
			await remove(first.path);
			const second = await addRex(service());
			expect(idOf(second.path)).toBeGreaterThan(idOf(first.path));
		});
	});
});

function idOf(path: string): bigint {
	return BigInt(path.split("/").at(-1) ?? "");
}

function exactly(message: string): RegExp {
	return new RegExp(`^${RegExp.escape(message)}$`);
}
