// Reads the scripts, styles and images that `npm run build` wrote to dist/pages, and sends them and the pages.
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { unavailable } from "../domain/errors.ts";
import { isOutOfFiles } from "../http/open-files.ts";
import { isMatched, type Reply, toNotModified } from "../http/reply.ts";
import { locate } from "../program.ts";
import { assetHeaders } from "./headers.ts";

/** The address of a file, relative to the page, so that it works behind a proxy that removes a prefix. */
export type AddressOf = (file: string) => string;

export const assetFolder = locate("dist/pages/");

export async function readAssets(folder = assetFolder) {
	const files = await readdir(folder).catch((error) => {
		if (isOutOfFiles(error)) throw error;
		throw unavailable(
			'The pages of the service are not built. Run "npm run build" in its folder, and start it again.',
		);
	});
	const names = new Map<string, string>();
	/** By the last segment of their address. */
	const replies = new Map<string, StoredReply>();
	const store = async (file: string) => {
		const stored = Bun.file(folder + file);
		const text = await stored.text();
		const name = file.replace(/(?=\.\w+$)/, `.${toContentHash(text)}`);
		names.set(file, name);
		replies.set(name, await storeReply(text, stored.type, assetHeaders));
	};
	await Promise.all(files.map(store));
	const addressOf: AddressOf = (file) => `assets/${names.get(file)}`;
	return { replies, addressOf };
}

export type StoredReply = (request: Request) => Reply;

/** Stores one reply for all callers, plain and compressed. It compresses on another thread, because that takes milliseconds. */
export async function storeReply(
	text: string,
	mediaType: string,
	headers: Headers,
): Promise<StoredReply> {
	const name = toContentHash(text);
	const plain = new Blob([text]);
	const compressed = new Blob([await promisify(gzip)(text, { level: 9 })]);
	return (request) => {
		const accepted = request.headers.get("accept-encoding") ?? "";
		const isCompressed = acceptsGzip(accepted);
		const tag = isCompressed ? `"${name}-gzip"` : `"${name}"`;
		const own = { ETag: tag, Vary: "Accept, Accept-Encoding" };
		if (isMatched(request, tag)) return toNotModified({ headers, own });
		if (!isCompressed) return { headers, own, body: plain, mediaType };
		const encoded = { ...own, "Content-Encoding": "gzip" };
		return { headers, own: encoded, body: compressed, mediaType };
	};
}

/** Whether its quality is above 0. `*` stands for what is not named. A long list is not worth reading: plain is always accepted. */
function acceptsGzip(accepted: string): boolean {
	if (accepted.length > maxAccepted) return false;
	const qualities = new Map<string, number>();
	for (const part of accepted.toLowerCase().split(",")) {
		const [name = "", ...params] = part.split(";").map((text) => text.trim());
		const quality = params.find((param) => param.startsWith("q="));
		qualities.set(name, Number(quality?.slice(2) ?? 1));
	}
	const named = qualities.get("gzip") ?? qualities.get("x-gzip");
	return (named ?? qualities.get("*") ?? 0) > 0;
}

const maxAccepted = 1_000;

function toContentHash(text: string): string {
	return Bun.SHA256.hash(text, "hex").slice(0, 16);
}
