// A reply that is the same for every caller: stored in each encoding that a client may ask for, with an ETag for each.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { httpStatus } from "../contract/operation.ts";
import { type Encoding, toEncoding } from "../http/negotiation.ts";
import {
	type Body,
	isMatched,
	type Reply,
	toNotModified,
} from "../http/reply.ts";

/** The reply to a request, or the 304 in its place. */
export type StoredReply = (request: Request) => Reply;

/** Compresses on another thread, because the best compression of a page takes many milliseconds. */
export async function storeReply(options: {
	body: string;
	mediaType: string;
	headers: Headers;
	/** What the reply depends on besides Accept-Encoding. */
	vary?: readonly string[];
}): Promise<StoredReply> {
	const { body: text, mediaType, headers } = options;
	const bytes = new TextEncoder().encode(text);
	const name = toContentHash(bytes);
	const vary = [...(options.vary ?? []), "Accept-Encoding"].join(", ");
	const bodies: Readonly<Record<Encoding, Body>> = {
		// As text, because long text has a limit for clients that read slowly (http/reply-memory.ts).
		identity: text,
		gzip: new Uint8Array(await promisify(gzip)(bytes, { level: 9 })),
		br: new Uint8Array(await promisify(brotliCompress)(bytes, smallest)),
	};
	return (request) => {
		const encoding = toEncoding(request);
		const tag = encoding === "identity" ? name : `${name}-${encoding}`;
		const own = { ETag: `"${tag}"`, Vary: vary };
		const reply = { status: httpStatus.ok, headers, own };
		if (isMatched(request, own.ETag)) return toNotModified(reply);
		const body = bodies[encoding];
		const encoded = encoding !== "identity" && { "Content-Encoding": encoding };
		return { ...reply, own: { ...own, ...encoded }, body, mediaType };
	};
}

export function toContentHash(bytes: Uint8Array): string {
	return hash("sha256", bytes, "hex").slice(0, 16);
}

const smallest = {
	params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
};
