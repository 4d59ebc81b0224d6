// Reads the catalogue over HTTP page by page, along the `next` links.

/** Returns the name and the id of each animal, of all pages or the first `maxPages`. Throws a PageError. */
export async function walk(
	url: string,
	apiKey: string,
	maxPages = Number.POSITIVE_INFINITY,
): Promise<[name: string, id: string][]> {
	const listed: [string, string][] = [];
	let path: string | undefined = "/v1/pets?limit=100";
	for (let pages = 0; path !== undefined && pages < maxPages; pages++) {
		const page: Response = await fetch(url + path, {
			headers: { Authorization: `Bearer ${apiKey}` },
		});
		for (const { id, name } of toAnimals(page.status, await page.text()))
			listed.push([name, String(id)]);
		path = /<(.*)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
	}
	return listed;
}

/** The service refused a page, or sent no list. */
export class PageError extends Error {
	readonly status: number;

	constructor(status: number, text: string) {
		super(`a page was answered ${status} ${text}`);
		this.status = status;
	}
}

function toAnimals(
	status: number,
	text: string,
): { id: number; name: string }[] {
	if (status !== 200) throw new PageError(status, text);
	const value = parsed(text);
	if (Array.isArray(value)) return value;
	throw new PageError(status, text);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
