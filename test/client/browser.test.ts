// The client's suite in a real browser, on a page of another origin than the service.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openBrowser } from "../harness/browser.ts";
import { freePort } from "../harness/free-port.ts";
import { root } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { openService, type Service } from "../service.ts";

const browser = await openBrowser();
if (browser === undefined)
	console.warn(
		"No browser on this machine: the test of the client in one is skipped.",
	);

let service: Service;
beforeAll(async () => {
	service = await openService("over a socket");
});
afterAll(async () => {
	await browser?.close();
	await service.close();
});

test.skipIf(browser === undefined)("passes its suite", async () => {
	const key = await service.makeKey();
	const nowhere = `http://127.0.0.1:${await freePort()}`;
	const site = openSite(await bundle({ url: service.url, key, nowhere }));
	const page = await browser?.newPage();
	await page?.goto(site.url.href);
	await page?.waitForFunction("document.title !== ''");
	expect(await page?.title()).toMatch(/^\d+ passed$/);
	await site.stop(true);
});

/** A page with this script. */
function openSite(script: string) {
	return Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		fetch(request) {
			const isPage = new URL(request.url).pathname === "/";
			const type = isPage ? "text/html" : "text/javascript";
			return new Response(
				isPage ? '<script type="module" src="suite.js"></script>' : script,
				{ headers: { "Content-Type": type } },
			);
		},
	});
}

/** Puts the suite and the client into one script, which writes the outcome to the title of the page. */
async function bundle(options: object): Promise<string> {
	using folder = temporaryFolder();
	const entry = `${folder.path}/main.ts`;
	await Bun.write(
		entry,
		`import * as client from "${root}src/client/client.ts";
		import { runSuite } from "${root}test/client/suite.ts";
		const options = ${JSON.stringify(options)};
		document.title = await runSuite({ client, ...options }).then(
			(titles) => titles.length + " passed",
			(error) => String(error),
		);`,
	);
	const { outputs } = await Bun.build({
		entrypoints: [entry],
		target: "browser",
	});
	return (await outputs[0]?.text()) ?? "";
}
