// The client follows the pages of any store, and reads what other stores may send.
import { describe, expect, test } from "bun:test";
import { createClient } from "../../src/client/client.ts";
import { reply } from "../harness/scripted-server.ts";
import { answering, failure, newPet, page, pet, petText } from "./scripted.ts";

describe("Client: pages", () => {
	const linkedTo = (target: string) =>
		reply(200, `[${petText}]`, { Link: `<${target}>; rel="next"` });

	test.concurrent.each([
		["an absolute path", "/v1/pets?cursor=a"],
		["a query", "?cursor=a"],
	])("finds the next page by %s", async (_form, target) => {
		const { store, server } = await answering([linkedTo(target), page]);
		expect(await Array.fromAsync(store.listPets())).toEqual([pet, pet]);
		expect(server.requests[1]).toStartWith("GET /v1/pets?cursor=a HTTP/1.1");
	});

	test.concurrent("finds the next page by an absolute URL, and requests it with the key and the caller's fetch", async () => {
		const asked: [string, string | null][] = [];
		const store = createClient({
			url: "https://store.example/api/",
			key: "a-key",
			fetch: async (url, { headers }) => {
				asked.push([url, new Headers(headers).get("Authorization")]);
				const Link = "<https://STORE.example:443/other?page=2>; rel=next";
				return new Response(
					"[]",
					asked.length === 1 ? { headers: { Link } } : {},
				);
			},
		});
		expect(await Array.fromAsync(store.listPets({ limit: 7 }))).toEqual([]);
		expect(asked).toEqual([
			["https://store.example/api/v1/pets?limit=7", "Bearer a-key"],
			["https://store.example/other?page=2", "Bearer a-key"],
		]);
	});

	test.concurrent("requests a page only when the loop needs it", async () => {
		const { store, server } = await answering([linkedTo("?cursor=a"), page]);
		const list = store.listPets();
		expect(server.requests.length).toBe(0);
		for await (const _ of list) break;
		expect(server.requests.length).toBe(1);
	});

	test.concurrent("ends a list with an error, without a request, if the next page is at another origin", async () => {
		const { server: other } = await answering([page]);
		const { store } = await answering([linkedTo(`${other.url}/v1/pets`)]);
		const seen: unknown[] = [];
		const read = async () => {
			for await (const one of store.listPets()) seen.push(one);
		};
		const error = await failure(read());
		expect(error.code).toBe("invalid_reply");
		expect(error.message).toContain(other.url);
		expect(seen).toEqual([pet]);
		expect(other.requests).toEqual([]);
	});

	test.concurrent("ends a list with an error if a page names itself", async () => {
		const { store } = await answering([linkedTo("/v1/pets")]);
		const { code } = await failure(Array.fromAsync(store.listPets()));
		expect(code).toBe("invalid_reply");
	});

	test.concurrent.each([
		['</a>; rel="prev", </b,c>; rel="next"', "/b,c"],
		['</a>; title="A page"; rel=next, </b>; rel=last', "/a"],
		['</a>; rel="nextish", </b>; rel="last"', undefined],
		['</a>; rel="last next"', "/a"],
		['</a> ; rel = "next"', "/a"],
		["</a>;title=x;REL=Next;type=y", "/a"],
		['</a>; rel="next-archive", </b>; rel="NEXT"', "/b"],
		['</a>; title="; rel=next, </b>; rel=\\"next\\""; rel="up"', undefined],
		['</a>; rel="prev"; rel="next"', undefined],
		['</a>; rel="next"; anchor="/other", , </b>;; rel=next;', "/b"],
	])("finds in Link: %s the next page %p", async (Link, path) => {
		const { store, server } = await answering([reply(200, "[]", { Link })]);
		const next = path === undefined ? undefined : server.url + path;
		expect((await store.readPage()).next).toBe(next);
	});

	test.concurrent("fails at a Link header that breaks off, and not as if the list ended", async () => {
		const Link = '</a>; rel="prev", </b; rel="next"';
		const { store } = await answering([reply(200, "[]", { Link })]);
		expect((await failure(store.readPage())).code).toBe("invalid_reply");
	});
});

describe("Client: other stores", () => {
	test.concurrent("accepts numbers in any form and a missing status, and drops other members", async () => {
		const body =
			'\n{ "categoryId" : 9.007199254740993e15, "name":"1e3","id":1.0,"tags":[1.5]}';
		const { store } = await answering([reply(200, body)]);
		expect(await store.getPet(1n)).toEqual({
			id: 1n,
			name: "1e3",
			categoryId: 9007199254740993n,
			status: undefined,
		});
	});

	test.concurrent("reports a Deprecation header in any form", async () => {
		const deprecated = reply(200, petText, { Deprecation: "@1764892800" });
		const draft = reply(200, petText, { Deprecation: "true" });
		const seen: unknown[] = [];
		const { store } = await answering([deprecated, draft, page], {
			onDeprecation: (headers, url) =>
				seen.push(headers.get("Deprecation"), new URL(url).pathname),
		});
		for (const id of [1n, 2n]) await store.getPet(id);
		await store.readPage();
		expect(seen).toEqual([
			...["@1764892800", "/v1/pets/1"],
			...["true", "/v1/pets/2"],
		]);
	});

	test.concurrent("accepts a 200 for an add", async () => {
		const { store } = await answering([reply(200, petText)]);
		expect(await store.createPet(newPet)).toEqual(pet);
	});
});
