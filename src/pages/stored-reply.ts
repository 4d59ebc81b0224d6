// A reply that is the same for every caller: stored in each encoding that a client may ask for, with an ETag for each.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { httpStatus } from "../contract/operation.ts";
import { isMatched, type Reply, toNotModified } from "../http/reply.ts";
import { type Encoding, toEncoding } from "./negotiation.ts";

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
	const { mediaType, headers } = options;
	const bytes = new TextEncoder().encode(options.body);
	const name = toContentHash(bytes);
	const vary = [...(options.vary ?? []), "Accept-Encoding"].join(", ");
	const bodies: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>> = {
		identity: bytes,
		gzip: new Uint8Array(await promisify(gzip)(bytes, { level: 9 })),
		br: new Uint8Array(await promisify(brotliCompress)(bytes, smallest)),
	};
	return (request) => {
		const encoding = toEncoding(request);
		const tag = encoding === "identity" ? name : `${name}-${encoding}`;
		const own = {
			ETag: `"${tag}"`,
			Vary: vary,
			...(encoding !== "identity" && { "Content-Encoding": encoding }),
		};
		const body = bodies[encoding];
		const reply = { status: httpStatus.ok, headers, own, body, mediaType };
		return isMatched(request, own.ETag) ? toNotModified(reply) : reply;
	};
}

export function toContentHash(bytes: Uint8Array): string {
	return hash("sha256", bytes, "hex").slice(0, 16);
}

const smallest = {
	params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
};
