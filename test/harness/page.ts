// Loads a page of a service as a browser does, without one.

/** Loads a page and all its files. Returns the status of each by its address. */
export async function loadPage(
	url: string,
	path: string,
): Promise<Record<string, number>> {
	const reply = await fetch(url + path, { headers: { Accept: "text/html" } });
	const statuses = { [path]: reply.status };
	const html = await reply.text();
	for (const [, asset = ""] of html.matchAll(/"((?:\.\.\/)*assets\/[^"]+)"/g))
		statuses[asset] = (await fetch(new URL(asset, url + path))).status;
	return statuses;
}
