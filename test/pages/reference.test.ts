// The reference page as text: it contains everything that the OpenAPI documents say.
import { describe, expect, test } from "bun:test";
import openapi from "../../openapi.json" with { type: "json" };
import operatorOpenapi from "../../operator-openapi.json" with { type: "json" };
import { errorStatus } from "../../src/domain/errors.ts";
import { errorMeanings } from "../../src/interface/errors.ts";
import type { Interface } from "../../src/interface/operation.ts";
import { operator } from "../../src/operator/interface.ts";
import { v1 } from "../../src/v1/interface.ts";
import { list } from "../../src/v1/list.ts";
import { html } from "../../src/web/html.ts";
import {
	type PageOptions,
	renderPage,
	toPageName,
} from "../../src/web/layout.ts";
import { toReference } from "../../src/web/reference/page.ts";
import { pathsIn } from "../interface/document.ts";

const interfaces = [v1, operator];

function render(
	described: Interface,
	options: Partial<PageOptions> = {},
): string {
	const pages = {
		interfaces: [described],
		hasConsole: true,
		database: "sqlite::memory:",
		listenUrl: "http://127.0.0.1:8080",
		...options,
	};
	const page = toReference(pages, toPageName(described));
	return renderPage(pages, (file) => file, page).text;
}

/** The section with this id. */
function sectionOf(page: string, id: string): string {
	const start = page.indexOf(` id="${id}"`);
	expect([id, start > 0]).toEqual([id, true]);
	return page.slice(start, page.indexOf("</section>", start));
}

describe("The reference", () => {
	const page = render(v1);
	const pages = interfaces.map((described) => ({
		...described,
		page: render(described, { interfaces }),
	}));
	const [, ofOperators] = pages;

	test.each(
		[openapi, operatorOpenapi].flatMap((document, index) =>
			Object.entries(pathsIn(document)).flatMap(([path, item]) =>
				Object.entries(item).map(
					([method, operation]) =>
						[operation.operationId, method, path, index, operation] as const,
				),
			),
		),
	)("documents all of %s", (id, method, path, index, operation) => {
		const { page = "", prefix = "" } = pages[index] ?? {};
		const section = sectionOf(page, id);
		expect(section).toContain(
			`>${method.toUpperCase()}</span><code>${prefix}${path}</code>`,
		);
		for (const { name } of operation.parameters)
			expect(section).toContain(`<code>${name}</code>`);
		for (const [status, reply] of Object.entries(operation.responses)) {
			expect(section).toContain(`>${status}</span>`);
			for (const name of Object.keys(reply.headers ?? {}))
				expect(section).toContain(`<code>${name}</code>`);
		}
	});
	test("shows the members of a body, even inside lists, members and choices, and what only is allowed", () => {
		const reply = sectionOf(page, "listPets");
		for (const member of ["id", "name", "categoryId", "status"])
			expect(reply).toContain(`<code>${member}</code>`);
		const changes = sectionOf(ofOperators?.page ?? "", "changePets");
		for (const member of ["changes", "petId", "set", "categoryId", "remove"])
			expect(changes).toContain(`<code>${member}</code>`);
		for (const text of ["PetUpdate", "PetRemoval", "no other members"])
			expect(changes).toContain(text);
		expect(changes).toContain("only <code>true</code>");
	});
	test("lists every error code with its status and its meaning", () => {
		const section = sectionOf(page, "errors").replace(/<[^>]*>/g, " ");
		for (const [code, status] of Object.entries(errorStatus))
			expect(section).toMatch(new RegExp(`\\s${status}\\s+${code}\\s`));
		for (const meaning of Object.values(errorMeanings))
			expect(section.replaceAll(/\s+/g, "")).toContain(
				html`${meaning.replaceAll("`", "")}`.text.replaceAll(/\s+/g, ""),
			);
	});
	test("has one h1, unique ids and no broken link on the page of each interface", () => {
		const ids = pages.map(({ page }) =>
			[...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id),
		);
		for (const [index, { page, title }] of pages.entries()) {
			const own = ids[index] ?? [];
			expect(page.match(/<h1/g)).toHaveLength(1);
			expect(new Set(own).size).toBe(own.length);
			const links = [...page.matchAll(/ href="([^"#]*)#([^"]+)"/g)];
			for (const [, path = "", id] of links) {
				const target = interfaces.findIndex(
					(one) => toPageName(one) === path.replace("../", ""),
				);
				expect([title, id, ids[path === "" ? index : target]]).toEqual([
					...[title, id, expect.arrayContaining([id])],
				]);
			}
		}
	});
	test("escapes the text of an interface", () => {
		const described: Interface = {
			...v1,
			title: "<script>",
			description: "`<b>` \"'&",
			resources: [
				{
					tag: "pets",
					description: "",
					operations: { "<u>": { ...list, path: "/<i>", summary: "<s>" } },
				},
			],
		};
		const page = render(described);
		expect(page).not.toMatch(/<(script>|b>|i>|u>|s>)/);
		expect(page).toContain("<code>&#60;b&#62;</code> &#34;&#39;&#38;");
	});
	test("offers only curl for a file, and no snippet for a browser's session", () => {
		const languagesOf = (id: string) =>
			sectionOf(ofOperators?.page ?? "", id).match(/-language"/g)?.length;
		expect(languagesOf("downloadBackup")).toBe(1);
		expect(languagesOf("signOut")).toBeUndefined();
		expect(languagesOf("findPets")).toBe(4);
	});
	test("uses the configured base URL in snippets", () => {
		const configured = render(v1, { baseUrl: "https://pets.example" });
		expect(configured).toContain("curl https://pets.example/v1/pets");
		expect(configured).not.toContain("<span data-base>");
	});
});
