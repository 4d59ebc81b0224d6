// A person exports the catalogue, works on it in LibreOffice, and imports the file again.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { run, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";
import { type Database, engines, newDatabase } from "../store/engines.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const path = (name: string) => `${folder.path}/${name}`;

const names = [
	"Räx, der Hund",
	'Tom; "die Katze"',
	"two\nlines",
	"Pelle",
	"🐈",
];

describe.skipIf(Bun.which("soffice") === null).each(engines)("%s", (engine) => {
	let database: Database;
	beforeAll(async () => {
		database = await newDatabase(engine);
	}, startMs);
	afterAll(() => database.remove());

	const command = (...args: string[]) =>
		run([...args, "--database", database.url], { cwd: folder.path });
	const readHistory = async (...id: string[]) =>
		JSON.parse((await command("history", ...id, "--json")).stdout);

	test("changes the three edited rows, adds the two new ones, and leaves the others", async () => {
		const lines = names.map((name) => JSON.stringify({ name, categoryId: 7 }));
		writeFileSync(path("first.ndjson"), `${lines.join("\n")}\n`);
		await command("import", "first.ndjson");
		await command("export", "sheet.csv");

		await office("sheet.csv", "fods", `--infilter=CSV:${csv(",")}`);
		await writeCsv(";");
		expect(await command("import", "sheet.csv", "--update")).toMatchObject({
			stderr: "Added 0 animals, changed 0 and left 5 unchanged.\n",
		});

		const sheet = readFileSync(path("sheet.fods"), "utf8");
		const edited = sheet
			.replace("Räx, der Hund", "Rex")
			.replace("🐈", "🐕")
			.replace("Pelle", "Ole")
			.replace("</table:table>", `${toRow("Bo")}${toRow("Ida")}$&`);
		writeFileSync(path("sheet.fods"), edited);
		await writeCsv(",");
		expect(await command("import", "sheet.csv", "--update")).toMatchObject({
			stderr: "Added 2 animals, changed 3 and left 2 unchanged.\n",
		});

		const history = await readHistory();
		expect(history.map(toNames).toSorted()).toEqual([
			["Pelle", "Ole"],
			["Räx, der Hund", "Rex"],
			["🐈", "🐕"],
		]);
		const { stdout } = await command("export", "--format", "ndjson");
		const added = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(added.slice(-2)).toMatchObject([
			{ name: "Bo", categoryId: 7, status: "pending" },
			{ name: "Ida", categoryId: 7, status: "pending" },
		]);
		for (const { id } of added.slice(-2))
			expect(await readHistory(String(id))).toMatchObject([{ kind: "added" }]);
	}, 120_000);
});

/** LibreOffice's words for CSV with this separator, in quotes and UTF-8, from the first line. */
const csv = (separator: string) => `${separator.charCodeAt(0)},34,76,1`;

/** Saves the sheet as CSV: with semicolons in German settings, with commas in English ones. */
const writeCsv = (separator: "," | ";") =>
	office("sheet.fods", `csv:Text - txt - csv (StarCalc):${csv(separator)}`);

/** Writes the file in another form beside it. */
async function office(
	file: string,
	form: string,
	...options: string[]
): Promise<void> {
	const profile = `-env:UserInstallation=file://${path("office")}`;
	const { status } = await start(
		["soffice", "--headless", profile, ...options, "--convert-to", form, file],
		{ cwd: folder.path },
	).finished;
	expect(status).toBe(0);
}

const toNames = ({
	before,
	pet,
}: Record<"before" | "pet", { name: string }>) => [before.name, pet.name];

/** A row of the sheet without an id. */
const toRow = (name: string) =>
	`<table:table-row><table:table-cell/>${[name, "7", "pending"]
		.map(
			(text) =>
				`<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`,
		)
		.join("")}</table:table-row>`;
