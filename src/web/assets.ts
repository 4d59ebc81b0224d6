// The scripts, styles and images of the pages, as `npm run build` has left them in dist/pages. They are read when the first page is
// asked for, so that they cost nothing at the start.
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Failure, unavailable } from "../domain/errors.ts";
import { locate } from "../program.ts";
import { assetHeaders } from "./headers.ts";
import { type StoredReply, storeReply, toContentHash } from "./stored-reply.ts";

export interface Assets {
	/** The address of a file, relative to the pages: they also work below a prefix that a proxy removes. Throws if it was not built. */
	readonly addressOf: (file: string) => string;
	/** By the last segment of their address. */
	readonly replies: ReadonlyMap<string, StoredReply>;
}

/** Where the build puts them. */
export const assetFolder = fileURLToPath(locate("dist/pages/"));

export async function readAssets(folder = assetFolder): Promise<Assets> {
	const files = await readdir(folder).catch(() => {
		throw notBuilt();
	});
	const stored = await Promise.all(
		files
			.filter((file) => extname(file) in mediaTypes)
			.map(async (file) => store(file, await readFile(folder + file))),
	);
	const names = new Map(stored.map(({ file, name }) => [file, name]));
	const replies = new Map(stored.map(({ name, reply }) => [name, reply]));
	return {
		replies,
		addressOf(file) {
			const name = names.get(file);
			if (name !== undefined) return `assets/${name}`;
			throw notBuilt();
		},
	};
}

async function store(
	file: string,
	bytes: Buffer,
): Promise<{ file: string; name: string; reply: StoredReply }> {
	const reply = await storeReply({
		body: bytes.toString(),
		mediaType: mediaTypes[extname(file)] ?? "",
		headers: assetHeaders,
	});
	return { file, name: toHashedName(file, bytes), reply };
}

function notBuilt(): Failure {
	return unavailable(
		'The pages of the service are not built; run "npm run build" in its folder.',
	);
}

function toHashedName(file: string, bytes: Uint8Array): string {
	const end = extname(file);
	return `${file.slice(0, -end.length)}.${toContentHash(bytes)}${end}`;
}

const mediaTypes: Readonly<Record<string, string>> = {
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
};
