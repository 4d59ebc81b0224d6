// Every kind of fault on a kept connection and on one that closes, as a raw socket sees it.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { readHeader, toRuleFields } from "../../src/sandbox/rules.ts";
import { connect, request } from "../harness/raw.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();

/** A reply in one piece, an add, a reply without a body, and one in parts: its status, and the animals that there are more afterwards. */
const sent = [
	["GET /v1/pets", 200, 0],
	["POST /v1/pets", 201, 1],
	["DELETE /operator/v1/pets/", 204, -1],
	["GET /operator/v1/pets/export", 200, 0],
] as const;

interface Kind {
	/** Whether the service does the request. */
	readonly isDone: boolean;
	/** What arrives of a reply that has `usual` as its status without the fault. */
	readonly check: (reply: Received, usual: number) => void;
}

/** By the text of the fault. */
const faults: Readonly<Record<string, Kind>> = {
	"delay=30": {
		isDone: true,
		check({ ms, status }, usual) {
			expect(ms).toBeGreaterThanOrEqual(29);
			expect(status).toBe(usual);
		},
	},
	"status=504; delay=30": {
		isDone: false,
		check({ ms, status, body, headers }) {
			expect(ms).toBeGreaterThanOrEqual(29);
			expect(status).toBe(504);
			expect(JSON.parse(body)).toMatchObject({ code: "fault", status: 504 });
			expect(headers).not.toContain("\r\nretry-after:");
		},
	},
	"status=504; after=true": {
		isDone: true,
		check: ({ status }) => expect(status).toBe(504),
	},
	'{"reply":{"status":200,"headers":{"Content-Type":"text/html","X-Own":["a","b"],"Set-Cookie":["c=1","d=2"],"x-request-id":"own","Access-Control-Allow-Origin":"https://a"},"body":"<h1>"}}':
		{
			isDone: false,
			check({ status, headers, body }) {
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
		},
	'{"reply":{"status":599,"body":{"id":9007199254740993}}}': {
		isDone: false,
		check({ status, body, headers }) {
			expect([status, body]).toEqual([599, '{"id":9007199254740993}']);
			expect(headers).toContain("content-type: application/json\r\n");
		},
	},
	'{"reply":{"status":204},"after":true}': {
		isDone: true,
		check: ({ status, text }) =>
			expect([status, text.endsWith("\r\n\r\n")]).toEqual([204, true]),
	},
	"drop=before": { isDone: false, check: expectCut },
	"drop=after-commit": { isDone: true, check: expectCut },
	"drop=mid-body": {
		isDone: true,
		check(reply, usual) {
			// Nothing can be sent half.
			if (usual === 204) return expectCut(reply);
			const { status, body, headers, how, isClosed } = reply;
			expect([status, isClosed, how]).toEqual([usual, true, "end"]);
			const [, length] = /content-length: (\d+)/.exec(headers) ?? [];
			expect(body.length).toBe(Math.floor(Number(length) / 2));
		},
	},
};

function expectCut({ text, isClosed }: Received): void {
	expect([text, isClosed]).toEqual(["", true]);
}

test.each(sent)(
	"applies every kind of fault to %s, on a kept connection and on one that closes",
	async (start, usual, more) => {
		const { url, call } = sandbox();
		const count = async () => {
			const reply = await call("/operator/v1/pets/count");
			return Number((await reply.json()).pets);
		};
		const body = more > 0 ? '{"name":"Rex","categoryId":1}' : "";
		for (const connection of ["keep-alive", "close"])
			for (const [fault, { isDone, check }] of Object.entries(faults)) {
				const lines = [
					"Authorization: Bearer sandbox",
					...[`Connection: ${connection}`, `Content-Length: ${body.length}`],
					`Sandbox-Fault: ${fault}`,
				];
				const before = await count();
				const [{ id }] = await (await call("/v1/pets?limit=1")).json();
				const line = start.endsWith("/") ? start + id : start;
				const received = await exchange(url, request(line, lines, body));
				check(received, usual);
				expect([fault, await count()]).toEqual([
					fault,
					isDone ? before + more : before,
				]);
				if (connection === "close") expect(received.isClosed).toBe(true);
			}
	},
);

test("has every kind of fault, and every way to cut a reply", () => {
	const kinds = toRuleFields().filter(({ isKind }) => isKind);
	const names = kinds.flatMap(({ name, schema }) =>
		[schema.enum ?? [""]].flat().map((value) => name + value),
	);
	const tried = Object.keys(faults).map((text) => readHeader(text, "listPets"));
	expect(names.length).toBeGreaterThan(kinds.length);
	for (const name of names)
		expect(
			tried.some((fault) =>
				Object.entries(fault).some(([kind, value]) =>
					[kind, kind + value].includes(name),
				),
			),
		).toBe(true);
});

test("keeps no file open for half a body that was sent", async () => {
	const { call } = sandbox();
	const countFiles = () => readdirSync("/proc/self/fd").length;
	const before = countFiles();
	const headers = { "Sandbox-Fault": "drop=mid-body" };
	for (let count = 0; count < 20; count++)
		await call("/v1/pets", { headers })
			.then((reply) => reply.bytes())
			.catch(() => {});
	const deadline = performance.now() + 5_000;
	while (countFiles() > before + 5 && performance.now() < deadline)
		await Bun.sleep(20);
	expect(countFiles()).toBeLessThanOrEqual(before + 5);
});

interface Received extends ReturnType<typeof toReceived> {
	readonly isClosed: boolean;
	/** `end` if the service ended the connection in order. */
	readonly how: string;
	/** Until the last byte. */
	readonly ms: number;
}

/** Sends a request, and waits for the whole reply or the end of the connection. */
function exchange(url: string, text: string): Promise<Received> {
	return new Promise((resolve) => {
		const begun = performance.now();
		const socket = connect(url);
		let received = "";
		let arrived = begun;
		let how = "";
		let settling: Timer | undefined;
		function finish(isClosed: boolean): void {
			clearTimeout(settling);
			socket.destroy();
			resolve({
				...toReceived(received),
				isClosed,
				how,
				ms: arrived - begun,
			});
		}
		socket
			.on("data", (data) => {
				received += data.toString("latin1");
				arrived = performance.now();
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
