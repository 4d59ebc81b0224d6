// Sends a recorded status, headers and body to every request. Usage: bun bench/bare.ts PORT FILE
import { readFileSync } from "node:fs";

export interface RecordedReply {
	readonly status: number;
	readonly headers: Record<string, string>;
	readonly body: string | null;
}

const [, , port, file = ""] = process.argv;
const { status, headers, body }: RecordedReply = JSON.parse(
	readFileSync(file, "utf8"),
);
const reply = () => new Response(body, { status, headers });

Bun.serve({
	hostname: "127.0.0.1",
	port: Number(port),
	development: false,
	fetch: (request) =>
		request.method === "POST" ? request.text().then(reply) : reply(),
});
