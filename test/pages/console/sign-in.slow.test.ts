// Signing in to the console in a real browser: by link, and again after the end of a session.
import { expect, test } from "bun:test";
import { generateToken } from "../../../src/domain/access/secret.ts";
import { dialogOf, press } from "../visit.ts";
import { describeConsole, openDrawer, rowOf } from "./visit.ts";

await describeConsole((opened) => {
	test("signs in once by a link, shows for whom it is, and hides link and session", async () => {
		const { service, visits } = opened();
		const { token, hash } = generateToken();
		const expiresAt = Date.now() + 60_000;
		await service.store.sessions.addLink({ hash, expiresAt, name: "Ben" });
		// A link also works in a tab with the console.
		const page = await visits.openSignedOut();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await page.goto(`${service.url}/console#link=${token}`);
		await page.getByRole("heading", { name: "Catalogue" }).waitFor();
		await page.getByRole("banner").getByText("Ben").waitFor();
		expect(page.url()).toBe(`${service.url}/console`);
		expect(await page.evaluate(() => history.length)).toBeLessThan(4);
		const stored = await page.evaluate(() => [
			document.cookie,
			localStorage.length,
			sessionStorage.length,
		]);
		expect(stored).toEqual(["", 0, 0]);

		await press(page, "Sign out");
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		const again = await visits.openSignedOut(`#link=${token}`);
		await again.getByText("The link is not valid").waitFor();
		await visits.takeStatuses(401);
	});

	test("signs out the holder of a revoked key, and keeps the input", async () => {
		const { service, visits, key, addPet, readPet } = opened();
		const id = await addPet("Revoked");
		const page = await visits.openSignedOut();
		const signIn = async (key: string) => {
			await page.getByLabel("API key").fill(key);
			await press(page, "Sign in");
		};
		await signIn(await service.makeKey({ scope: "operator" }));
		await openDrawer(page, "Revoked");
		await dialogOf(page).getByLabel("Name").fill("typed before");
		const { id: keyId = 0 } = (await service.store.keys.list()).at(-1) ?? {};
		await service.store.keys.revoke(keyId, Date.now());
		// The service caches a session for half a second.
		await Bun.sleep(600);
		await press(page, "Save");
		await page.getByText("Your session has ended.").waitFor();
		await visits.takeStatuses(401);
		await signIn(key);
		const ended = page.getByRole("heading", { name: "Signed out" });
		await ended.waitFor({ state: "detached" });
		await press(page, "Save");
		await rowOf(page, "typed before").waitFor();
		expect(await readPet(id)).toMatchObject({ name: "typed before" });
	});
});
