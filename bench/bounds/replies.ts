// Recorded replies of our service, in a file. The servers in this folder send them again.
import { readFileSync, writeFileSync } from "node:fs";

export interface RecordedReply {
	readonly method: string;
	/** How the URL of the request ends. Undefined if it has a number, which differs from request to request. */
	readonly urlEnd?: string;
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | null;
}

export async function toRecordedReply(
	request: Pick<RecordedReply, "method" | "urlEnd">,
	response: Response,
): Promise<RecordedReply> {
	const headers = Object.fromEntries(
		[...response.headers].filter(([name]) => !addedByServers.includes(name)),
	);
	const text = await response.text();
	const { status } = response;
	return { ...request, status, headers, body: text === "" ? null : text };
}

/** Not recorded, because every server writes these headers itself. */
const addedByServers = ["connection", "content-length", "date"];

export function writeReplies(
	file: string,
	replies: readonly RecordedReply[],
): void {
	writeFileSync(file, JSON.stringify(replies));
}

/** There is at least one. */
export function readReplies(
	file: string,
): readonly [RecordedReply, ...RecordedReply[]] {
	return JSON.parse(readFileSync(file, "utf8"));
}

/** Returns a function that finds the reply to a request. It reads only as much of a request as it needs. */
export function toReplyFinder(
	replies: readonly [RecordedReply, ...RecordedReply[]],
): (request: Pick<Request, "method" | "url">) => RecordedReply {
	const [first] = replies;
	if (replies.length === 1) return () => first;
	const byMethod = Object.groupBy(replies, ({ method }) => method);
	return (request) => {
		const [only, ...others] = byMethod[request.method] ?? [first];
		if (only === undefined || others.length === 0) return only ?? first;
		const { url } = request;
		const fits = ({ urlEnd }: RecordedReply) =>
			urlEnd === undefined || url.endsWith(urlEnd);
		return fits(only) ? only : (others.find(fits) ?? first);
	};
}
