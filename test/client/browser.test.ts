// The client's suite in a real browser, on a page of another origin than the service.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openBrowser } from "../harness/browser.ts";
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
	const site = openSite(await bundle("runSuite", { url: service.url, key }));
	expect(await visit(site.url.href)).toMatch(/^\d+ passed$/);
	await site.stop(true);
});

test.skipIf(browser === undefined)(
	"passes the suite of the feed on a page of the same origin",
	async () => {
		const key = await service.makeKey();
		const site = openSite(async (url) =>
			bundle("runFeedSuite", { url: new URL("/", url).href, key }),
		);
		expect(await visit(site.url.href)).toMatch(/^\d+ passed$/);
		await site.stop(true);
	},
);

describe("Client: changes", () => {
	test.skipIf(browser === undefined)(
		"says that a page of another origin cannot read the feed",
		async () => {
			const key = await service.makeKey();
			const options = { url: service.url, key };
			const site = openSite(await bundle("runRefusedFeed", options));
			const told = await visit(site.url.href);
			expect(told).toBe(
				`PetstoreError: A page of ${site.url.origin} got no reply: only pages of the store's own origin may read its changes.`,
			);
			await site.stop(true);
		},
	);
});

/** A page with this script, beside the paths of the service. */
function openSite(script: string | ((url: string) => Promise<string>)) {
	return Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		async fetch(request) {
			const { pathname, search } = new URL(request.url);
			if (pathname.includes("v1"))
				return fetch(service.url + pathname + search, request);
			const isPage = pathname === "/";
			const type = isPage ? "text/html" : "text/javascript";
			const text =
				typeof script === "string" ? script : await script(request.url);
			return new Response(
				isPage ? '<script type="module" src="suite.js"></script>' : text,
				{ headers: { "Content-Type": type } },
			);
		},
	});
}

/** Returns the title that the page gives itself. */
async function visit(url: string): Promise<string | undefined> {
	const page = await browser?.newPage();
	await page?.goto(url);
	await page?.waitForFunction("document.title !== ''");
	return page?.title();
}

/** Puts the suite and the client into one script, which writes the outcome to the title of the page. */
async function bundle(
	suite: "runSuite" | "runFeedSuite" | "runRefusedFeed",
	options: { url: string; key: string },
): Promise<string> {
	const folder = temporaryFolder();
	const entry = `${folder.path}/main.ts`;
	await Bun.write(
		entry,
		`import * as client from "${root}src/client/client.ts";
		import { ${suite} } from "${root}test/client/suite.ts";
		const options = ${JSON.stringify(options)};
		document.title = await ${suite}({ client, ...options }).then(
			(titles) => titles.length + " passed",
			(error) => String(error),
		);`,
	);
	const { outputs } = await Bun.build({
		entrypoints: [entry],
		target: "browser",
	});
	folder.remove();
	return (await outputs[0]?.text()) ?? "";
}
