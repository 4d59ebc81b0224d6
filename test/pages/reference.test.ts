// The reference page as text: everything that the OpenAPI documents say is in it.
import { expect, test } from "bun:test";
import openapi from "../../openapi.json" with { type: "json" };
import operatorOpenapi from "../../operator-openapi.json" with { type: "json" };
import { errorMeanings } from "../../src/contract/error-meanings.ts";
import type { Interface } from "../../src/contract/operation.ts";
import { operator } from "../../src/contract/operator/interface.ts";
import { v1 } from "../../src/contract/v1/interface.ts";
import { errorStatus } from "../../src/domain/errors.ts";
import { escapeHtml } from "../../src/web/html.ts";
import type { PageOptions } from "../../src/web/layout.ts";
import { renderReference } from "../../src/web/reference/page.ts";
import { pathsIn } from "../examples.ts";
import { decision } from "../service.ts";

const served = { described: v1, path: "/openapi.json" };
const forOperators = { described: operator, path: "/operator/openapi.json" };

function render(options: Partial<PageOptions> = {}): string {
	const pages = { interfaces: [served], hasConsole: true, ...options };
	return renderReference(pages, (file) => file).text;
}

/** The part of the page with this id, up to the next section. */
function sectionOf(page: string, id: string): string {
	const start = page.indexOf(` id="${id}"`);
	expect([id, start > 0]).toEqual([id, true]);
	return page.slice(start, page.indexOf("</section>", start));
}

decision("The reference", () => {
	const page = render();
	const both = render({ interfaces: [served, forOperators] });

	test.each(
		[
			{ prefix: v1.prefix, paths: pathsIn(openapi) },
			{ prefix: operator.prefix, paths: pathsIn(operatorOpenapi) },
		].flatMap(({ prefix, paths }) =>
			Object.entries(paths).flatMap(([path, item]) =>
				Object.entries(item).map(
					([method, operation]) =>
						[operation.operationId, method, prefix + path, operation] as const,
				),
			),
		),
	)("has all of %s", (id, method, path, operation) => {
		const section = sectionOf(both, id);
		expect(section).toContain(
			`>${method.toUpperCase()}</span><code>${path}</code>`,
		);
		for (const { name } of operation.parameters)
			expect(section).toContain(`<code>${name}</code>`);
		for (const [status, reply] of Object.entries(operation.responses)) {
			expect(section).toContain(`>${status}</span>`);
			for (const name of Object.keys(reply.headers ?? {}))
				expect(section).toContain(`<code>${name}</code>`);
		}
		const messages = JSON.stringify(operation).matchAll(
			/"message":"((?:[^"\\]|\\.)*)"/g,
		);
		for (const [, message = ""] of messages)
			expect(section.replace(/<[^>]*>/g, "")).toContain(escapeHtml(message));
	});
	test("has every schema with its members", () => {
		for (const [name, schema] of Object.entries(openapi.components.schemas)) {
			const start = page.indexOf(`<article id="schema-${name}"`);
			const section = page.slice(start, page.indexOf("</article>", start));
			for (const member of Object.keys(
				"properties" in schema ? schema.properties : {},
			))
				expect(section).toContain(`<code>${member}</code>`);
		}
		const pet = page.slice(page.indexOf('<article id="schema-Pet"'));
		for (const member of ["id", "name", "categoryId", "status"])
			expect(pet).toContain(`<code>${member}</code>`);
	});
	test("names the choices of a schema, and says where it allows no other members or values", () => {
		const articleOf = (name: string) => {
			const start = both.indexOf(`<article id="schema-${name}"`);
			return both.slice(start, both.indexOf("</article>", start));
		};
		expect(articleOf("PetChange")).toContain("PetUpdate or PetRemoval");
		expect(articleOf("UsageRow")).toContain("int64 or string");
		expect(articleOf("PetRemoval")).toContain("no other members");
		expect(articleOf("PetRemoval")).toContain("only <code>true</code>");
		expect(articleOf("PetPatch")).not.toContain("no other members");
		expect(sectionOf(both, "readUsage")).toContain("<code>minute</code>");
	});
	test("has every error code with its status and its meaning", () => {
		const section = sectionOf(page, "errors").replace(/<[^>]*>/g, " ");
		for (const [code, status] of Object.entries(errorStatus))
			expect(section).toMatch(new RegExp(`\\s${status}\\s+${code}\\s`));
		for (const meaning of Object.values(errorMeanings))
			expect(section.replaceAll(/\s+/g, "")).toContain(
				escapeHtml(meaning.replaceAll("`", "")).replaceAll(/\s+/g, ""),
			);
	});
	test("shows a date only for a deprecated operation", () => {
		expect(sectionOf(page, "getPet")).toContain(
			'to be removed on <time datetime="2030-12-05">5 December 2030</time>',
		);
		expect(sectionOf(page, "listPets")).not.toContain("Deprecated");
	});
	test("says how to authenticate", () => {
		expect(page).toContain("Authorization: Bearer &lt;API_KEY&gt;");
	});
	test("has only the served operations", () => {
		const operationIds = ["listPets", "createPet"];
		const page = render({ interfaces: [{ ...served, operationIds }] });
		expect(page).not.toContain("getPet");
		expect(sectionOf(page, "createPet")).not.toContain("<code>Location</code>");
	});
	test("has a chapter for each interface, and no id twice", () => {
		expect(sectionOf(both, "listKeys")).toContain(
			"<code>/operator/v1/keys</code>",
		);
		expect(both).toContain('data-path="/operator/v1/keys"');
		const ids = [...both.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
		expect(new Set(ids).size).toBe(ids.length);
		const links = [...both.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
		for (const link of links) expect(ids).toContain(link);
	});
	test("text of an interface never becomes markup", () => {
		const described: Interface = {
			...v1,
			title: "<script>",
			description: "`<b>` \"'&",
			operations: {
				"<u>": { ...v1.operations.listPets, path: "/<i>", summary: "<s>" },
			},
		};
		const page = render({ interfaces: [{ ...served, described }] });
		expect(page).not.toMatch(/<(script>|b>|i>|u>|s>)/);
		expect(page).toContain("<code>&lt;b&gt;</code> &quot;&#39;&amp;");
	});
	test("snippets use the configured base URL, or else the address of the page", () => {
		expect(page).toContain(
			"<span data-base>http://127.0.0.1:8080</span>/v1/pets",
		);
		const configured = render({ baseUrl: "https://pets.example" });
		expect(configured).toContain("curl https://pets.example/v1/pets");
		expect(configured).not.toContain("data-base");
	});
	test("the form and the snippets have the example key", () => {
		const page = render({ exampleKey: "sandbox" });
		expect(page).toContain('data-example="sandbox"');
		expect(page).not.toContain("$KEY");
	});
});
