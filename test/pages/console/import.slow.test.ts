// Imports a file in a real browser: the preview, the errors, and the result.
import { afterAll, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { fieldNames } from "../../../src/formats/columns.ts";
import { maxImportBytes } from "../../../src/limits.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { dialogOf, hasFocus } from "../visit.ts";
import { describeConsole, rowOf } from "./visit.ts";

await describeConsole((opened) => {
	const folder = temporaryFolder();
	afterAll(() => folder.remove());

	const exportCsv = async () =>
		(await opened().service.call("/operator/v1/pets/export?format=csv")).text();
	const readLines = async () =>
		(await exportCsv()).trimEnd().split("\r\n").slice(1);

	function writeFile(name: string, lines: readonly string[]): string {
		const path = `${folder.path}/${name}`;
		writeFileSync(path, lines.join("\r\n"));
		return path;
	}

	async function openImport() {
		const page = await opened().visits.open();
		await page.getByRole("button", { name: "Import" }).click();
		return { page, dialog: dialogOf(page) };
	}

	test("previews what a CSV file adds, and then applies exactly that", async () => {
		const before = await readLines();
		const page = await opened().visits.open();
		const open = page.getByRole("button", { name: "Import" });
		await open.focus();
		await page.keyboard.press("Enter");
		const dialog = dialogOf(page);
		const field = dialog.getByLabel("File");
		expect(await field.evaluate(hasFocus)).toBe(true);
		// A closed file picker does not close the dialog.
		await field.dispatchEvent("cancel", { bubbles: true });
		await dialog.getByRole("button", { name: "Apply" }).click();
		expect(await field.evaluate((own) => own.matches(":invalid"))).toBe(true);
		const head = "name,categoryId,status";
		const path = writeFile("new.csv", [head, "Ida,1,sold", "Jo,2,"]);
		await field.setInputFiles(path);
		await dialog.getByText("2 new, 0 changed, 0 unchanged.").waitFor();
		expect(await readLines()).toEqual(before);
		writeFile("new.csv", [head, "Another,1,sold"]);
		const apply = dialog.getByRole("button", { name: "Apply" });
		await apply.focus();
		await page.keyboard.press("Enter");
		await page
			.getByText("Imported \u2068new.csv\u2069: 2 new, 0 changed")
			.waitFor();
		expect(await open.evaluate(hasFocus)).toBe(true);
		await rowOf(page, "Ida").locator("select[data-value=sold]").waitFor();
		await rowOf(page, "Jo").locator("select[data-value=available]").waitFor();
		expect(await readLines()).toHaveLength(before.length + 2);
	});

	test("names the members of NDJSON that are not read", async () => {
		const { dialog } = await openImport();
		const line = '{"name":"Rex","categoryId":1,"stauts":"sold"}';
		const path = writeFile("misspelt.ndjson", [line]);
		await dialog.getByLabel("File").setInputFiles(path);
		await dialog.getByText("\u2068stauts\u2069 (1 line)").waitFor();
	});

	test("lists the errors by line, changes nothing, and accepts the corrected file", async () => {
		const before = await readLines();
		const { dialog } = await openImport();
		const head = "name,categoryId,status";
		const bad = ["Rex,one,sold", "Tom,1,gone"];
		const path = writeFile("bad.csv", [head, ...bad]);
		await dialog.getByLabel("File").setInputFiles(path);
		await dialog.getByText("The file has 2 errors.").waitFor();
		const rows = dialog.getByRole("region", { name: "Errors" }).locator("tr");
		const cells = async (row: number) =>
			(await rows.nth(row).locator("th, td").allInnerTexts()).slice(0, 3);
		expect(await cells(1)).toEqual(["Line 2", "categoryId", "one"]);
		expect(await cells(2)).toEqual(["Line 3", "status", "gone"]);
		expect(await rows.nth(2).innerText()).toContain("available, pending, sold");

		expect(await readLines()).toEqual(before);

		await dialog.getByText("Correct the file and choose it again.").waitFor();
		const corrected = writeFile("corrected.csv", [head, "Rex,1,sold"]);
		await dialog.getByLabel("File").setInputFiles(corrected);
		await dialog.getByText("1 new,").waitFor();
		expect(await rows.count()).toBe(0);
		await opened().visits.takeStatuses(422);
	});

	test("asks what the ids of an export are for", async () => {
		await opened().addPet("Uno");
		const { dialog } = await openImport();
		const exported = (await exportCsv()).replace("Uno,1,", "Uno,7,");
		const known = (await readLines()).length;
		const due: Record<string, string> = { name: "Due", categoryId: "7" };
		const line = fieldNames.map((name) => due[name] ?? "").join(",");
		const path = writeFile("EXPORT.CSV", [exported + line]);
		await dialog.getByLabel("File").setInputFiles(path);
		await dialog
			.getByText(`1 new, 1 changed, ${known - 1} unchanged.`)
			.waitFor();
		opened().visits.expectStatuses(400);
		const ids = dialog.getByLabel("The file has ids");
		await ids.selectOption("Add all as new animals");
		await dialog.getByText(`${known + 1} new, 0 changed`).waitFor();
		await ids.selectOption("Change the animals with these ids");
		await dialog.getByText("1 new, 1 changed").waitFor();
	});

	test("makes unknown categories and ignores unknown columns where the boxes say so", async () => {
		const { page, dialog } = await openImport();
		const path = writeFile("own.csv", [
			"name,category,colour",
			"Coco,Parrots,green",
		]);
		await dialog.getByLabel("File").setInputFiles(path);
		await dialog.getByRole("alert").waitFor();
		await dialog.getByLabel("Ignore unknown columns").check();
		await dialog.getByText("The file has an error.").waitFor();
		await dialog.getByLabel("Make categories").check();
		await dialog.getByText("New categories: \u2068Parrots\u2069.").waitFor();
		await dialog.getByRole("button", { name: "Apply" }).click();
		await rowOf(page, "Coco").getByText("Parrots").waitFor();
		await opened().visits.takeStatuses(422);
	});

	test("adds nothing when it is repeated after a lost reply", async () => {
		const before = await readLines();
		const { page, dialog } = await openImport();
		const path = writeFile("once.jsonl", ['{"name":"Once","categoryId":1}']);
		await dialog.getByLabel("File").setInputFiles(path);
		const apply = dialog.getByRole("button", { name: "Apply" });
		await dialog.getByText("1 new,").waitFor();
		await page.route("**/pets/import?*", async (route) => {
			await route.fetch();
			await route.abort("internetdisconnected");
		});
		await apply.click();
		await dialog.getByText("The change may have been saved.").waitFor();
		await page.unroute("**/pets/import?*");
		await apply.click();
		await page.getByText(/was already imported/).waitFor();
		expect(await readLines()).toHaveLength(before.length + 1);
		opened().visits.expectNoReplies();
	});

	test("refuses another kind of file and a large file, and sends none", async () => {
		const { page, dialog } = await openImport();
		const sent: string[] = [];
		page.on("request", (request) => sent.push(request.url()));
		const field = dialog.getByLabel("File");
		const large = writeFile("large.csv", ["name,categoryId", "Rex,1"]);
		truncateSync(large, maxImportBytes + 1);
		await field.setInputFiles(writeFile("pets.xlsx", ["PK"]));
		await dialog.getByText("The name must end in .csv").waitFor();
		await field.setInputFiles(large);
		await dialog.getByText("The file is larger than 64 MiB.").waitFor();
		expect(sent.filter((url) => url.includes("import"))).toEqual([]);
	});
});
