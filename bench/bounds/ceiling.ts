// The least work for a reply in Bun: sends the recorded status, headers and body, and does nothing else. The service cannot be faster. The
// difference is what the service itself costs.
// Usage: bun bench/bounds/ceiling.ts PORT FILE
import { type RecordedReply, readReplies, toReplyFinder } from "./replies.ts";

const [, , port = "0", file = ""] = process.argv;
const findReply = toReplyFinder(readReplies(file));

Bun.serve({
	hostname: "127.0.0.1",
	port: Number(port),
	development: false,
	fetch(request) {
		const reply = findReply(request);
		return reply.method === "POST"
			? request.text().then(() => toResponse(reply))
			: toResponse(reply);
	},
});

function toResponse({ status, headers, body }: RecordedReply): Response {
	return new Response(body, { status, headers });
}
