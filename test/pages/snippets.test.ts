// The snippets of the reference, sent to a service by the programs that they are for, where this machine has them. An int64 above
// 2^53 must come back to the digit.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { root, start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { toOpenApi } from "../../src/contract/openapi/document.ts";
import { operator } from "../../src/contract/operator/interface.ts";
import { v1 } from "../../src/contract/v1/interface.ts";
import { operationIds } from "../../src/contract/v1/operations.ts";
import { readDocument } from "../../src/pages/openapi/document.ts";
import { toJsonText } from "../../src/pages/openapi/values.ts";
import {
	type Language,
	languages,
} from "../../src/pages/snippets/languages.ts";
import {
	type SnippetRequest,
	toSnippetRequest,
} from "../../src/pages/snippets/request.ts";
import { add, idOf, openService, type Service } from "../service.ts";

const { operations } = readDocument(
	toOpenApi(
		v1,
		{ operationIds, baseUrl: undefined, stagingUrl: undefined },
		"3.1",
	),
);
const { operations: operatorOperations } = readDocument(
	toOpenApi(operator, { baseUrl: undefined, stagingUrl: undefined }, "3.1"),
);
const client = `${root}dist/client.js`;
const python = Bun.which("python3");
const gofmt = Bun.which("gofmt");

/** The file for a snippet and what runs it; no command where this machine has none. */
const programs = new Map<string, { file: string; command?: string[] }>([
	["curl", { file: "a.sh", command: ["sh", "-e"] }],
	[
		"typescript",
		{
			file: "a.ts",
			...(existsSync(client) && { command: [process.execPath] }),
		},
	],
	["javascript", { file: "a.mjs", command: [process.execPath] }],
	["python", { file: "a.py", ...(python && { command: [python] }) }],
	// It would take seconds to compile it, so only its form is checked.
	["go", { file: "a.go", ...(gofmt && { command: [gofmt, "-e", "-d"] }) }],
]);

let service: Service;
let key: string;
beforeAll(async () => {
	service = await openService("over a socket");
	key = await service.makeKey({ scope: "operator" });
	await add(service, '{"name":"Rex","categoryId":9007199254740993}');
});
afterAll(() => service.close());

function toRequest(id: string, literalKey?: string): SnippetRequest {
	const operation = operations.find((one) => one.id === id);
	if (operation === undefined) throw new Error(`There is no ${id}.`);
	const options = { base: service.url, prefix: "/v1", key: literalKey };
	return toSnippetRequest(operation, options);
}

function toOperatorRequest(id: string): SnippetRequest {
	const operation = operatorOperations.find((one) => one.id === id);
	if (operation === undefined) throw new Error(`There is no ${id}.`);
	const { prefix } = operator;
	return toSnippetRequest(operation, {
		...{ base: service.url, prefix, key: undefined },
	});
}

async function run(
	{ id, write }: Language,
	request: SnippetRequest,
): Promise<string> {
	const folder = temporaryFolder();
	const { file = "", command = [] } = programs.get(id) ?? {};
	const code = write(request)?.replace("petstore-service/client", client);
	writeFileSync(`${folder.path}/${file}`, `${code}\n`);
	const [program = "", ...args] = command;
	const { status, stdout, stderr } = await start([program, ...args, file], {
		cwd: folder.path,
		env: { KEY: key },
	}).finished;
	folder.remove();
	if (status !== 0) throw new Error(stderr);
	return stdout;
}

describe.each(languages.filter(({ id }) => id !== "go"))(
	"$label",
	(language) => {
		const { id } = language;
		const isRun = programs.get(id)?.command !== undefined;

		test.skipIf(!isRun).each([
			["listPets", "environment"],
			["createPet", "environment"],
			["getPet", "snippet"],
		])(
			"%s works as printed, with the key in the %s",
			async (operation, place) => {
				const literal = place === "snippet" ? key : undefined;
				const output = await run(language, toRequest(operation, literal));
				expect(output).toContain("Rex");
				if (operation === "getPet")
					expect(output).toContain("9007199254740993");
			},
		);

		const hasOperator = isRun && id !== "typescript";
		test.skipIf(!hasOperator)(
			"an animal is changed and removed as printed",
			async () => {
				const added = await add(service, '{"name":"Max","categoryId":1}');
				const onAdded = (request: SnippetRequest) => ({
					...request,
					url: request.url.replace(/\d+$/, String(idOf(added))),
				});
				const change = onAdded(toOperatorRequest("changePet"));
				expect(await run(language, change)).toMatch(/Max.*sold/s);
				await run(language, onAdded(toOperatorRequest("removePet")));
				const path = `/operator/v1/pets/${idOf(added)}`;
				expect((await service.call(path)).status).toBe(404);
			},
		);

		test.skipIf(!isRun)("a body with quotes arrives as it is", async () => {
			const name = 'O\'Neil "x" \\ `y` $HOME é 😀';
			const body = { name, categoryId: 1n };
			const bodyText = toJsonText(body);
			await run(language, { ...toRequest("createPet"), body, bodyText });
			const [added] = await (await service.call("/v1/pets?limit=1")).json();
			expect(added.name).toBe(name);
		});
	},
);

describe("Go", () => {
	const [go] = languages.filter(({ id }) => id === "go");
	const requests = () =>
		operations.flatMap(({ id }) => [toRequest(id), toRequest(id, "k")]);

	test.skipIf(gofmt === null)("is formatted as gofmt does it", async () => {
		for (const request of requests())
			if (go !== undefined) expect(await run(go, request)).toBe("");
	});
	test("does not read numbers as float64", () => {
		for (const request of requests())
			expect(go?.write(request)).toContain("decoder.UseNumber()\n");
	});
	test("uses every package that it imports, and no other", () => {
		const forOperators = operatorOperations.map(({ id }) =>
			toOperatorRequest(id),
		);
		for (const request of [...requests(), ...forOperators]) {
			const [, imports = "", body = ""] =
				/import \(([^)]*)\)(.*)/s.exec(go?.write(request) ?? "") ?? [];
			const imported = imports.matchAll(/"(?:\w+\/)?(\w+)"/g);
			const used = body.matchAll(/\b(json|fmt|http|os|strings)\./g);
			const names = (found: Iterable<RegExpMatchArray>) =>
				[...new Set([...found].map(([, name]) => name))].sort();
			expect(names(used)).toEqual(names(imported));
		}
	});
});
