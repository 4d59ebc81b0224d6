// Adds a filter to a copy of the project, only in the files that CONTRIBUTING.md lists, and uses it everywhere.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { makeKey } from "../../harness/key.ts";
import { root, run, serve, start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { copyProject } from "../../harness/variant.ts";
import { openStore } from "../../src/store/open.ts";
import { engines, newDatabase } from "../store/engines.ts";

/** The filter `parity`: animals with an even or an odd id. By file, the old and the new text. */
const additions: Readonly<Record<string, readonly [string, string][]>> = {
	"src/contract/filter.ts": [
		[
			"export interface PetFilter {",
			'export interface PetFilter {\n\treadonly parity?: "even" | "odd" | undefined;',
		],
		['Pick<PetFilter, "status">', 'Pick<PetFilter, "status" | "parity">'],
		[
			"toIndexed({ status }: PetFilter): Required<IndexedFilter> {\n\treturn { status };",
			"toIndexed({ status, parity }: PetFilter): Required<IndexedFilter> {\n\treturn { status, parity };",
		],
		[
			"export const filters = {",
			`export const filters = {
	parity: oneOf({
		name: "parity",
		description: "Filters by id.",
		values: ["even", "odd"],
		schema: { type: "string" },
		example: "odd",
	}),`,
		],
		[
			"status: read(filters.status),",
			"status: read(filters.status),\n\t\tparity: read(filters.parity),",
		],
		["\tstatus,\n\tcategoryId,", "\tstatus,\n\tparity,\n\tcategoryId,"],
		['PetFilter, "status" | "cat', 'PetFilter, "status" | "parity" | "cat'],
		[`}\${category}`, `}\${parity ?? ""}\${category}`],
	],
	"src/store/sqlite/requests/filter.ts": [
		[
			'{ status }: Only<IndexedFilter, "status">,\n): string {',
			`{ status, parity }: Only<IndexedFilter, "status" | "parity">,
): string {
	if (parity !== undefined)
		return \`\${toFrom(db, { status })} id % 2 = \${parity === "odd" ? 1 : 0} AND\`;`,
		],
		[
			'return ({ status }) => prepared[status ?? "all"];',
			`return ({ status, parity }) =>
		parity === undefined
			? prepared[status ?? "all"]
			: prepare(toFrom(db, { status, parity }));`,
		],
	],
	"src/store/postgres/requests/filter.ts": [
		[
			'{ status }: Only<IndexedFilter, "status">',
			'{ status, parity }: Only<IndexedFilter, "status" | "parity">',
		],
		[
			"\t\tstatus === undefined\n",
			`		parity !== undefined
			? query<Row>(
					db,
					toText(
						\`WHERE id % 2 = \${parity === "odd" ? 1 : 0} AND coalesce(status = $3, true) AND\`,
					),
					[...values, status ?? null],
				)
			: status === undefined
`,
		],
	],
	"src/contract/operator/pets/operations.ts": [
		["[filters.status,", "[filters.status, filters.parity,"],
	],
	"src/contract/v1/operations.ts": [
		["[filters.status]", "[filters.status, filters.parity]"],
	],
	"src/cli/commands/pets/flags.ts": [
		[
			'\t\t.addOption(statusOption("only animals with this status"))\n',
			'\t\t.addOption(statusOption("only animals with this status"))\n\t\t.addOption(new Option("--parity <parity>", "even or odd").choices(["even", "odd"]))\n',
		],
		[
			"toFilter({ status, category, name }: FilterFlags): PetFilter {\n\treturn { status,",
			"toFilter({ status, parity, category, name }: FilterFlags): PetFilter {\n\treturn { status, parity,",
		],
	],
};

const folder = temporaryFolder();
const copy = `${folder.path}/copy`;
const program = `${copy}/bin/petstore`;
beforeAll(() => {
	copyProject(copy);
	for (const [path, replacements] of Object.entries(additions)) {
		let text = readFileSync(`${copy}/${path}`, "utf8");
		for (const [part, replacement] of replacements) {
			expect([path, part, text.split(part).length]).toEqual([path, part, 2]);
			text = text.replace(part, () => replacement);
		}
		writeFileSync(`${copy}/${path}`, text);
	}
});
afterAll(() => folder.remove());

test("CONTRIBUTING.md lists the files of a new filter", () => {
	const [row = ""] =
		/^\| a filter of animals \|.*$/m.exec(
			readFileSync(`${root}CONTRIBUTING.md`, "utf8"),
		) ?? [];
	const listed = [...row.matchAll(/`(src\/[^`]+)`/g)].map(([, path]) => path);
	expect(listed.sort()).toEqual(Object.keys(additions).sort());
});

test("compiles without a change in another file", async () => {
	const config = readFileSync(`${root}tsconfig.json`, "utf8");
	const { compilerOptions } = JSON.parse(config);
	writeFileSync(
		`${copy}/tsconfig.json`,
		JSON.stringify({ compilerOptions, include: ["src"] }),
	);
	const tsc = `${root}node_modules/.bin/tsc`;
	const checked = await start([tsc, "-p", copy], { cwd: copy }).finished;
	expect(checked).toEqual({ status: 0, stdout: "", stderr: "" });
}, 60_000);

test.each(engines)(
	"%s: filters lists, searches, exports and commands, and refuses a cursor of another filter",
	async (engine) => {
		const { url: database, remove } = await newDatabase(engine);
		const { key, record } = makeKey({ scope: "operator" });
		const store = await openStore(database, { create: true });
		await store.keys.add(record);
		for (const status of ["sold", "pending", "sold", "sold", "sold"] as const)
			await store.catalogue.addPet({
				pet: { name: "Rex", categoryId: 1n, status },
			});
		await store.close();
		const options = { cwd: folder.path, program };
		const service = await serve(["--database", database], options);
		const headers = { Authorization: `Bearer ${key}` };
		const get = (path: string) => fetch(service.url + path, { headers });
		const idsAt = async (path: string) => toIds(await (await get(path)).text());

		for (const path of [
			"/v1/pets?",
			"/operator/v1/pets?",
			"/operator/v1/pets?name=rex&",
		]) {
			expect(await idsAt(`${path}parity=odd`)).toEqual([5, 3, 1]);
			expect(await idsAt(`${path}parity=even&status=sold`)).toEqual([4]);
			const refused = await get(`${path}parity=x`);
			expect(await refused.text()).toContain("parity must be one of even, odd");
		}
		const exported = "/operator/v1/pets/export?parity=odd&status=sold";
		expect(await idsAt(exported)).toEqual([1, 3, 5]);

		const first = await get("/v1/pets?limit=1&parity=odd");
		const link = first.headers.get("Link") ?? "";
		expect(link).toContain("&parity=odd&");
		expect(await idsAt(/<(.*)>/.exec(link)?.[1] ?? "")).toEqual([3]);
		const cursor = /cursor=([\w-]+)/.exec(link)?.[1];
		for (const other of ["", "parity=even&"]) {
			const refused = await get(`/v1/pets?${other}cursor=${cursor}`);
			expect(await refused.text()).toContain("the same status and parity.");
		}
		service.kill("SIGTERM");
		await service.finished;

		const flags = ["--parity", "even", "--database", database];
		const listed = await run(["pets", "list", "--json", ...flags], options);
		expect(toIds(listed.stdout)).toEqual([4, 2]);
		const file = await run(["export", ...flags], options);
		expect(toIds(file.stdout)).toEqual([2, 4]);
		await remove();
	},
	60_000,
);

function toIds(text: string): number[] {
	return [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
}
