// The snippets of the reference run as printed, in every installed language, and print every digit.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { operator } from "../../src/operator/interface.ts";
import { v1 } from "../../src/v1/interface.ts";
import { toChapter } from "../../src/web/reference/chapter.ts";
import { toFilled } from "../../src/web/reference/operation.ts";
import { languages, toSnippetRequest } from "../../src/web/snippets.ts";
import { start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { openService, type Service } from "../service.ts";

const operations = [v1, operator].flatMap(
	(described) => toChapter(described).operations,
);

function toRequest(
	id: string,
	base: string,
	changes: Partial<ReturnType<typeof toFilled>> = {},
	key?: string,
) {
	const operation = operations.find((one) => one.id === id);
	if (operation === undefined) throw new Error(`There is no ${id}.`);
	return toSnippetRequest({ ...toFilled(operation), ...changes }, base, key);
}

const large = "9007199254740993";
const awkwardName = 'O\'Neil "x" \\ `y` $HOME é 😀 12345678901234567890';
const body = JSON.stringify({ name: awkwardName, categoryId: 1 }).replace(
	"1}",
	`${large}}`,
);

/** How a file is run, and what prints the status of a reply. */
const runners: Readonly<
	Record<string, { end: string; command: readonly [string, ...string[]] }>
> = {
	curl: { end: "sh", command: ["sh", "-e"] },
	javascript: { end: "mjs", command: ["node"] },
	python: { end: "py", command: ["python3"] },
	go: { end: "go", command: ["go", "run"] },
};

describe("Snippets", () => {
	const folder = temporaryFolder();
	let service: Service;
	let key: string;
	beforeAll(async () => {
		service = await openService("over a socket");
		key = await service.makeKey({ scope: "operator" });
	});
	afterAll(async () => {
		await service.close();
		folder.remove();
	});

	test.each(Object.entries(runners))(
		"run as printed in %s",
		async (language, { end, command }) => {
			if (Bun.which(command[0]) === null)
				return console.warn(`not run: ${command[0]} is not installed`);
			/** The last argument is the key in the snippet; without it, the snippet reads the variable. */
			const run = async (...[id, changes, own]: [string, object?, string?]) => {
				const file = join(folder.path, `${id}.${end}`);
				const request = toRequest(id, service.url, changes, own);
				writeFileSync(file, `${languages[language]?.write(request)}\n`);
				const env = { ...process.env, KEY: key };
				const { stdout, stderr } = await start([...command, file], {
					cwd: folder.path,
					env,
				}).finished;
				return stdout + stderr;
			};
			const added = await run("createPet", { bodyText: body });
			expect(added).toContain(`"name":${JSON.stringify(awkwardName)}`);
			expect(added).toContain(`"categoryId":${large},`);
			const [, id = ""] = /"id":(\d+)/.exec(added) ?? [];
			const petId = { place: "path", name: "petId", value: id };
			expect(await run("getPet", { values: [petId] }, key)).toContain(large);
			const name = { place: "query", name: "name", value: awkwardName };
			expect(await run("findPets", { values: [name] })).toContain(large);
			expect(await run("removePet", { values: [petId] })).toMatch(/\b204\b/);
			expect(await run("getPet", { values: [petId] })).toMatch(/not_found|404/);
		},
		// Go compiles its library first, which takes minutes on a busy machine.
		600_000,
	);
});

test("calls the client with exact numbers, and says how to install it", () => {
	const write = (id: string, changes = {}) =>
		languages.client?.write(toRequest(id, "http://pets", changes)) ?? "";
	expect(write("listPets")).toContain("npm install");
	expect(write("createPet", { bodyText: body })).toContain(`:${large}n}`);
	const petId = { place: "path", name: "petId", value: large };
	const got = write("getPet", { values: [petId] });
	expect(got).toContain(`store.getPet(${large}n)`);
	expect(got).toContain('{ url: "http://pets", key: process.env.KEY }');
	const limit = { place: "query", name: "limit", value: "5" };
	expect(write("listPets", { values: [limit] })).toContain("({ limit: 5 })");
});
