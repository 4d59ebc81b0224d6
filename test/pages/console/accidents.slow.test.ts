// What goes wrong in a shop, and the way back, in a real browser and on both engines.
import { expect, test } from "bun:test";
import { dialogOf, press } from "../visit.ts";
import { describeConsole } from "./visit.ts";

const pets = 20_000;
/** What the service promises for an undo of all of them. */
const undoMs = 3_000;

await describeConsole(
	(opened) => {
		async function call(path: string, init: object = {}): Promise<Response> {
			const response = await opened().service.call(`/operator/v1${path}`, init);
			expect(response.status).toBe(200);
			return response;
		}

		/** The lines of the export without the version, and the versions. */
		async function readAll() {
			const text = await (await call("/pets/export?format=csv")).text();
			const lines = text.trimEnd().split("\r\n").slice(1);
			return {
				contents: lines.map((line) => line.replace(/,\d+$/, "")),
				versions: lines.map((line) => Number(/\d+$/.exec(line)?.[0])),
			};
		}

		test("20,000 animals that were removed by mistake come back from another browser", async () => {
			const { service, visits, count } = opened();
			const lines = Array.from(
				{ length: pets },
				(_, n) => `Animal ${n},${1 + (n % 3)},${n % 2 ? "sold" : "available"}`,
			);
			await call("/pets/import", {
				method: "POST",
				headers: { "Content-Type": "text/csv" },
				body: ["name,categoryId,status", ...lines].join("\n"),
			});
			const before = await readAll();

			const page = await visits.open();
			await page.getByText("20,000 animals", { exact: true }).waitFor();
			await page.getByLabel("Select all animals that match").click();
			await page.getByText("20,000 selected").waitFor();
			await press(page, "Remove");
			const question = page.getByRole("dialog", {
				name: "Remove 20,000 animals?",
			});
			await question.waitFor();
			expect(await count()).toBe(pets);
			await question.getByRole("button", { name: "Remove" }).click();
			await page.getByText("Removed 20,000 animals.").waitFor();
			await page.getByText("No animals yet").waitFor();
			expect(await count()).toBe(0);
			await page.context().close();

			const key = await service.makeKey({ scope: "operator", name: "Ben" });
			const other = await visits.openSignedOut("#history");
			await other.getByLabel("API key").fill(key);
			await press(other, "Sign in");
			const row = other
				.locator(".edits tbody tr")
				.filter({ hasText: /Ada.+ removed 20,000 animals/ })
				.first();
			await row.getByRole("button", { name: "Undo" }).click();
			const startedAt = performance.now();
			await dialogOf(other).getByRole("button", { name: "Undo" }).click();
			await other.getByText("Undone: 20,000 animals.").waitFor();
			const tookMs = performance.now() - startedAt;
			// The machine may be busy.
			expect(tookMs).toBeLessThan(2 * undoMs);
			await row.getByText(/^Undone by .Ben.$/).waitFor();

			const after = await readAll();
			expect(after.contents).toEqual(before.contents);
			expect(Math.min(...after.versions)).toBeGreaterThan(
				Math.max(...before.versions),
			);
			await other.getByRole("link", { name: "Catalogue" }).click();
			await other.getByText("20,000 animals", { exact: true }).waitFor();
		}, 180_000);

		test("a spreadsheet does not overwrite what a colleague has changed since its export", async () => {
			const { visits, addPet, readPet } = opened();
			const [rex, tom] = [await addPet("Rex"), await addPet("Tom")];
			const page = await visits.open("#catalogue?categoryId=1&search=e");
			const exported = await (await call("/pets/export?format=csv")).text();

			// A colleague sells Tom.
			const other = await visits.open(`#catalogue?pet=${tom}`);
			await dialogOf(other).getByLabel("Status").selectOption("sold");
			await press(other, "Save");
			await other.getByText(/is sold\.$/).waitFor();

			const [head = "", ...lines] = exported.trimEnd().split("\r\n");
			const lineOf = (id: string) =>
				lines.find((line) => line.startsWith(`${id},`)) ?? "";
			const edited = [
				lineOf(rex).replace("Rex", "Rex II"),
				lineOf(tom).replace("Tom", "Tom II"),
			];
			await press(page, "Import");
			const choose = (rows: readonly string[]) =>
				dialogOf(page)
					.getByLabel("File", { exact: true })
					.setInputFiles({
						name: "animals.csv",
						mimeType: "text/csv",
						buffer: Buffer.from([head, ...rows].join("\r\n")),
					});
			await choose(edited);
			await dialogOf(page).getByText("The file has an error.").waitFor();
			const errors = dialogOf(page).getByRole("region", { name: "Errors" });
			await errors.getByText("was changed since the export").waitFor();
			expect(await errors.locator("tbody th").innerText()).toBe("Line 3");
			expect(await readPet(rex)).toMatchObject({ name: "Rex" });
			visits.expectStatuses(400, 422);

			await choose(edited.slice(0, 1));
			await dialogOf(page)
				.getByText("0 new, 1 changed, 0 unchanged. Nothing")
				.waitFor();
			visits.expectStatuses(400);
			await press(page, "Apply");
			await page.getByText(/^Imported .+ 1 changed/).waitFor();
			expect(await readPet(rex)).toMatchObject({ name: "Rex II" });
			expect(await readPet(tom)).toMatchObject({ name: "Tom", status: "sold" });

			await page.getByRole("link", { name: "History" }).click();
			await page
				.getByRole("row", { name: /imported.+Rex/ })
				.getByRole("button", { name: "Undo" })
				.click();
			await page.getByText("Undone: 1 animal.").waitFor();
			expect(await readPet(rex)).toMatchObject({ name: "Rex" });
		}, 60_000);
	},
	{ engines: ["sqlite", "postgres"] },
);
