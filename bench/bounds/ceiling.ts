// The least that Bun can do for a reply: it sends the same status, headers and body to every request. The service cannot be
// faster than this. The difference is what the service itself costs.
// Usage: bun bench/bounds/ceiling.ts PORT FILE
import { readReply } from "./replies.ts";

const [, , port = "0", file = ""] = process.argv;
const { method, status, headers, body } = readReply(file);

Bun.serve({
	hostname: "127.0.0.1",
	port: Number(port),
	development: false,
	fetch:
		method === "POST"
			? async (request) => {
					await request.text();
					return new Response(body, { status, headers });
				}
			: () => new Response(body, { status, headers }),
});
