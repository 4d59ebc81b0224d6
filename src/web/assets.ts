// Reads the scripts, styles and images that `npm run build` wrote to dist/pages, and sends them and the pages.
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { unavailable } from "../domain/errors.ts";
import { sha256 } from "../domain/hash.ts";
import {
	type Body,
	isMatched,
	type Reply,
	toNotModified,
} from "../http/reply.ts";
import { locate } from "../program.ts";
import { assetHeaders } from "./headers.ts";

/** The address of a file, relative to the page, so that it works behind a proxy that removes a prefix. Throws if it was not built. */
export type AddressOf = (file: string) => string;

export const assetFolder = fileURLToPath(locate("dist/pages/"));

export async function readAssets(folder = assetFolder) {
	const files = await readdir(folder).catch(() => {
		throw notBuilt();
	});
	const names = new Map<string, string>();
	/** By the last segment of their address. */
	const replies = new Map<string, StoredReply>();
	const store = async (file: string) => {
		const end = extname(file);
		const mediaType = mediaTypes[end];
		if (mediaType === undefined) return;
		const text = await readFile(folder + file, "utf8");
		const name = `${file.slice(0, -end.length)}.${toContentHash(text)}${end}`;
		names.set(file, name);
		replies.set(name, await storeReply(text, mediaType, assetHeaders));
	};
	await Promise.all(files.map(store));
	const addressOf: AddressOf = (file) => {
		const name = names.get(file);
		if (name === undefined) throw notBuilt();
		return `assets/${name}`;
	};
	return { replies, addressOf };
}

function notBuilt() {
	return unavailable(
		'The pages of the service are not built. Run "npm run build" in its folder.',
	);
}

const mediaTypes: Readonly<Record<string, string>> = {
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
};

export type StoredReply = (request: Request) => Reply;

/** Stores one reply for all callers, in each encoding. It compresses on another thread, because that takes milliseconds. */
export async function storeReply(
	text: string,
	mediaType: string,
	headers: Headers,
	vary = "Accept-Encoding",
): Promise<StoredReply> {
	const name = toContentHash(text);
	const bodies: Readonly<Record<Encoding, Body>> = {
		identity: new Blob([text]),
		gzip: new Blob([await promisify(gzip)(text, { level: 9 })]),
		br: new Blob([await promisify(brotliCompress)(text, quality)]),
	};
	return (request) => {
		const encoding = toEncoding(request);
		const tag = encoding === "identity" ? name : `${name}-${encoding}`;
		const own = { ETag: `"${tag}"`, Vary: vary };
		const reply = { headers, own };
		if (isMatched(request, own.ETag)) return toNotModified(reply);
		const body = bodies[encoding];
		const encoded = encoding !== "identity" && { "Content-Encoding": encoding };
		return { ...reply, own: { ...own, ...encoded }, body, mediaType };
	};
}

type Encoding = "br" | "gzip" | "identity";

function toEncoding({ headers }: Request): Encoding {
	const accepted = headers.get("accept-encoding") ?? "";
	if (/\bbr\b/i.test(accepted)) return "br";
	return /\bgzip\b/i.test(accepted) ? "gzip" : "identity";
}

function toContentHash(text: string): string {
	return sha256(text, "hex").slice(0, 16);
}

/** The default, 11, is much slower and saves a few percent. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
