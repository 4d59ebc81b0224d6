// Every kind of fault on a kept connection and on one that closes, as a raw socket sees it.
import { expect, test } from "bun:test";
import { connect, request } from "../harness/raw.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();

/** A reply in one piece, an add, a reply without a body, and one in parts. */
const sent = [
	["GET /v1/pets", ""],
	["POST /v1/pets", '{"name":"Rex","categoryId":1}'],
	["DELETE /operator/v1/pets/1", ""],
	["GET /operator/v1/pets/export", ""],
] as const;

/** The check of the reply, by the text of the fault. */
const faults: Readonly<Record<string, (reply: Received) => void>> = {
	"delay=30": ({ ms, status }) => {
		expect(ms).toBeGreaterThanOrEqual(29);
		expect(status).toBeWithin(200, 500);
	},
	"status=504; delay=30": ({ ms, status, body, headers }) => {
		expect(ms).toBeGreaterThanOrEqual(29);
		expect(status).toBe(504);
		expect(JSON.parse(body)).toMatchObject({ code: "fault", status: 504 });
		expect(headers).not.toContain("\r\nretry-after:");
	},
	'{"reply":{"status":200,"headers":{"Content-Type":"text/html","X-Own":["a","b"],"Set-Cookie":["c=1","d=2"],"x-request-id":"own","Access-Control-Allow-Origin":"https://a"},"body":"<h1>"}}':
		({ status, headers, body }) => {
			expect([status, body]).toEqual([200, "<h1>"]);
			for (const line of [
				"content-type: text/html",
				"x-own: a, b",
				"set-cookie: c=1",
				"set-cookie: d=2",
				"x-request-id: own",
				"access-control-allow-origin: https://a",
			])
				expect(headers).toContain(`\r\n${line}\r\n`);
			expect(headers).not.toContain("\r\netag:");
		},
	'{"reply":{"status":599,"body":{"id":9007199254740993}}}': (reply) => {
		expect([reply.status, reply.body]).toEqual([
			599,
			'{"id":9007199254740993}',
		]);
		expect(reply.headers).toContain("content-type: application/json\r\n");
	},
	'{"reply":{"status":204},"after":true}': ({ status, text }) => {
		expect([status, text.endsWith("\r\n\r\n")]).toEqual([204, true]);
	},
	"drop=before": ({ text, isClosed }) => {
		expect([text, isClosed]).toEqual(["", true]);
	},
	"drop=after-commit": ({ text, isClosed }) => {
		expect([text, isClosed]).toEqual(["", true]);
	},
	"drop=mid-body": ({ text, body, headers, how, isClosed }) => {
		expect(isClosed).toBe(true);
		if (text === "") return;
		const [, length] = /content-length: (\d+)/.exec(headers) ?? [];
		expect(body.length).toBe(Math.floor(Number(length) / 2));
		expect(how).toBe("end");
	},
};

test.each(sent)(
	"applies every kind of fault to %s, on a kept connection and on one that closes",
	async (start, body) => {
		for (const connection of ["keep-alive", "close"])
			for (const [fault, check] of Object.entries(faults)) {
				const lines = [
					"Authorization: Bearer sandbox",
					...[`Connection: ${connection}`, `Content-Length: ${body.length}`],
					`Sandbox-Fault: ${fault}`,
				];
				const text = request(start, lines, body);
				const received = await exchange(sandbox().url, text);
				check(received);
				if (connection === "close") expect(received.isClosed).toBe(true);
			}
	},
);

interface Received extends ReturnType<typeof toReceived> {
	readonly isClosed: boolean;
	/** `end` if the service ended the connection in order. */
	readonly how: string;
	readonly ms: number;
}

/** Sends a request, and waits for the whole reply or the end of the connection. */
function exchange(url: string, text: string): Promise<Received> {
	return new Promise((resolve) => {
		const begun = performance.now();
		const socket = connect(url);
		let received = "";
		let how = "";
		let settling: Timer | undefined;
		function finish(isClosed: boolean): void {
			clearTimeout(settling);
			socket.destroy();
			resolve({
				...toReceived(received),
				isClosed,
				how,
				ms: performance.now() - begun,
			});
		}
		socket
			.on("data", (data) => {
				received += data.toString("latin1");
				const { isWhole } = toReceived(received);
				// With Connection: close, waits for the close.
				const ms = text.includes("Connection: close") ? 10_000 : 30;
				if (isWhole) settling ??= setTimeout(finish, ms, false);
			})
			.on("end", () => {
				how ||= "end";
			})
			.on("error", () => {
				how ||= "error";
			})
			.on("close", () => finish(true));
		socket.write(text, "latin1");
	});
}

/** The headers in lower case, status 0 without a reply, and whether the whole body has arrived. */
function toReceived(text: string) {
	const [head = "", ...rest] = text.split("\r\n\r\n");
	const headers = `${head.toLowerCase()}\r\n`;
	const body = rest.join("\r\n\r\n");
	const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
	const [, length] = /content-length: (\d+)/.exec(headers) ?? [];
	const isChunked = headers.includes("transfer-encoding: chunked");
	const isWhole =
		rest.length > 0 &&
		(isChunked
			? body.endsWith("0\r\n\r\n")
			: body.length >= Number(length ?? 0));
	return { text, headers, status, body, isWhole };
}
