// Hostile requests as data. test/http/hostile.slow.test.ts sends them.
import { request, toChunks } from "../harness/raw.ts";

/** The valid key. */
export const apiKey = "a-key-known-to-the-tests";

/** Gets a NewPet whose name is the title of the row, and returns the texts to send. */
export type Row = (pet: string) => readonly string[];
export type Rows = Readonly<Record<string, Row>>;

/** Bun parses HTTP before the service sees a request. `answers` has its answer to each of these rows. */
export const byTheHttpLayer: Rows = {
	"text that is no HTTP": () => [
		"nonsense\r\n\r\n",
		"\r\n\r\n",
		"\0".repeat(1_000),
		"\x05\x01\0",
	],
	"an empty line before the request": () => [`\r\n${get()}`],
	"a TLS greeting": () => [
		`\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${"x".repeat(500)}`,
	],
	"the preface of HTTP/2": () => ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
	"a PROXY line before the request": () => [
		`PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n${get()}`,
	],
	"HTTP/1.0, with or without Host": () => [
		"GET /healthz HTTP/1.0\r\nHost: x\r\n\r\n",
		"GET /healthz HTTP/1.0\r\n\r\n",
	],
	"HTTP/0.9, HTTP/1.2, HTTP/2.0, `http/1.1`": () => [
		"GET /healthz\r\n\r\n",
		...["HTTP/1.2", "HTTP/2.0", "http/1.1"].map(
			(version) => `GET /healthz ${version}\r\nHost: x\r\n\r\n`,
		),
	],
	"an unknown method, or a known one in lower case": () =>
		["FOO /healthz", "get /healthz", `${"G".repeat(5_000)} /`].map((start) =>
			request(start, []),
		),
	"a space before the method, or two after it": () => [
		` ${get()}`,
		request("GET  /healthz", []),
	],
	"a space, a control character or NUL in the path": () =>
		["GET /health z", "GET /\x01", "GET /heal\0thz"].map((start) =>
			request(start, []),
		),
	"no path, `*`, or a path without a leading slash": () =>
		["GET", "GET *", "OPTIONS *", "GET healthz"].map((start) =>
			request(start, []),
		),
	"the absolute form with `http` or `https`": () => [
		request("GET http://other/healthz", []),
		request("GET https://other/healthz", []),
	],
	"the absolute form with another scheme": () => [
		request("GET ftp://other/healthz", []),
	],
	"no Host in HTTP/1.1": () => [
		get().replace("Host: x\r\n", ""),
		request("GET http://other/healthz", []).replace("Host: x\r\n", ""),
	],
	"two Host lines": () => [get("Host: y")],
	"bare LF as line ends": () => [get().replaceAll("\r", "")],
	"one header line ended by a bare LF or a bare CR": () => [
		get("A: b\nC: d"),
		get("A: b\rC: d"),
		get("A: b").replace(/\r\n$/, "\n"),
	],
	"a folded header": (pet) => [
		get("A: b", " c"),
		get("A: b", "\tc"),
		get(" A: b"),
		request("GET /v1/pets", ["Authorization: Bearer", ` ${apiKey}`]),
		coded("\r\n chunked", pet),
	],
	"NUL or another control character in a header": (pet) => [
		get("A: b\0c"),
		get("A\0: b"),
		get("A: b\x01c"),
		coded("\x0bchunked", pet),
		sized(`${pet.length}\0`, pet),
	],
	"a byte above 127 in a header's value": () => [get("A: \xff")],
	"a byte above 127 in a header's name": () => [get("\xff: a")],
	"a space before the colon": (pet) => [
		get("A : b"),
		post(`Content-Length : ${pet.length}`, pet),
		post("Transfer-Encoding : chunked", toChunks(pet)),
	],
	"a line without a colon, or without a name": () => [get("A"), get(": b")],
	"a header of 15,000 bytes": () => [get(`A: ${"x".repeat(15_000)}`)],
	"a header or a path of 17,000 bytes": () => [
		get(`A: ${"x".repeat(17_000)}`),
		get(`${"x".repeat(17_000)}: a`),
		request(`GET /${"x".repeat(17_000)}`, []),
	],
	"a line of a million bytes": () => [
		"x".repeat(1_000_000),
		`GET /${"x".repeat(1_000_000)}`,
	],
	"190 headers": () => [get(...headers(190))],
	"300 headers": () => [get(...headers(300))],
	"both Content-Length and Transfer-Encoding": (pet) => [
		coded(`chunked\r\nContent-Length: ${pet.length}`, pet),
		sized(`${pet.length}\r\nTransfer-Encoding: chunked`, toChunks(pet)),
		sized(`${pet.length}\r\nTransfer-Encoding: identity`, pet),
	],
	"Content-Length twice, the same": (pet) => [
		sized(`${pet.length}\r\nContent-Length: ${pet.length}`, pet),
	],
	"Content-Length twice, not the same": (pet) => [
		sized(`${pet.length}\r\nContent-Length: 5`, pet),
		sized(`5\r\nContent-Length: ${pet.length}`, pet),
	],
	"a length with leading zeros": (pet) => [sized(`00${pet.length}`, pet)],
	"a negative length": (pet) => [sized(-pet.length, pet)],
	"a length that is empty, a list, or has a plus, a fraction or letters": (
		pet,
	) =>
		[
			"",
			`${pet.length}, ${pet.length}`,
			`+${pet.length}`,
			`${pet.length}.0`,
			`${pet.length}e0`,
			`0x${hex(pet)}`,
		].map((length) => sized(length, pet)),
	"a length of 18 digits and more": (pet) => [
		sized("9".repeat(18), pet),
		sized(`${2n ** 64n + BigInt(pet.length)}`, pet),
		sized("9".repeat(1_000), pet),
	],
	"`Transfer-Encoding: CHUNKED`, or `chunked` beside empty members": (pet) =>
		["CHUNKED", ",chunked", "chunked, ,", "\r\nTransfer-Encoding: chunked"].map(
			(coding) => coded(coding, pet),
		),
	"any other Transfer-Encoding, or several": (pet) =>
		[
			"gzip, chunked",
			"chunked, gzip",
			"chunked, chunked",
			"identity",
			"xchunked",
			'"chunked"',
			"chunked;a=b",
			"",
			"chunked\r\nTransfer-Encoding: chunked",
			"identity\r\nTransfer-Encoding: chunked",
		].map((codings) => coded(codings, pet)),
	"Transfer-Encoding in HTTP/1.0": (pet) => [
		coded("chunked", pet).replace("HTTP/1.1", "HTTP/1.0"),
	],
	"a chunk size with leading zeros": (pet) => [
		chunk("0".repeat(100) + hex(pet), pet),
	],
	"a chunk size that is empty, or has a sign, a space, `0x` or other letters": (
		pet,
	) =>
		[
			"",
			`-${hex(pet)}`,
			`+${hex(pet)}`,
			` ${hex(pet)}`,
			`${hex(pet)} `,
			`0x${hex(pet)}`,
			"zz",
		].map((size) => chunk(size, pet)),
	"a chunk size of 2^64 and more": (pet) => [
		chunk(`1${hex(pet).padStart(16, "0")}`, pet),
		chunk("f".repeat(100), pet),
	],
	"a chunk longer or shorter than its size": (pet) => [
		chunk(hex(pet.slice(1)), pet),
		chunk(hex(`${pet}x`), pet),
	],
	"a chunk ended by a bare LF or a bare CR": (pet) => [
		chunk(hex(pet), pet, "\n0\n\n"),
		chunk(hex(pet), pet, "\r0\r\r"),
		chunk(`${hex(pet)}\n`, pet),
	],
	"a chunk with an extension": (pet) => [chunk(`${hex(pet)};a=b`, pet)],
	"a chunk with an extension of 100,000 bytes": (pet) => [
		chunk(`${hex(pet)};${"a".repeat(100_000)}`, pet),
	],
	"a trailer after the last chunk, or other bytes in place of the empty line": (
		pet,
	) => [
		chunk(hex(pet), pet, "\r\n0\r\nA: b\r\n\r\n"),
		chunk(hex(pet), pet, "\r\n0\r\nXX"),
	],
	"nothing in place of the empty line after the last chunk": (pet) => [
		chunk(hex(pet), pet, "\r\n0\r\n"),
	],
	"`Expect: 100-continue`": (pet) => [
		sized(`${pet.length}\r\nExpect: 100-continue`, pet),
	],
	"a wish to upgrade to a WebSocket or to HTTP/2": () => [
		get(
			"Connection: Upgrade",
			"Upgrade: websocket",
			"Sec-WebSocket-Version: 13",
			`Sec-WebSocket-Key: ${"a".repeat(22)}==`,
		),
		get(
			"Connection: Upgrade, HTTP2-Settings",
			"Upgrade: h2c",
			"HTTP2-Settings: AAMAAABk",
		),
	],
	"a second request before the reply to an add": (pet) => [
		sized(pet.length, pet) + get(),
	],
};

/** In the same table. The HTTP layer answers them only after a timeout. */
export const byTheHttpLayerAfterTimeout: Rows = {
	"nothing or half a head for 10 seconds": () => [
		"",
		"GET ",
		get().slice(0, -2),
	],
};
/** In the same table, sent one byte at a time. */
export const byTheHttpLayerDripping: Rows = {
	"a head that comes byte by byte for longer than 10 seconds": () => [
		get(...headers(20)),
	],
};

/** Grouped by the answer. The service must not execute an add that is hidden in a body. */
export const byTheService: Readonly<Record<string, Rows>> = {
	"401 unauthenticated": {
		"an add without a key": (pet) => [
			request("POST /v1/pets", [`Content-Length: ${pet.length}`], pet),
		],
		"two Authorization lines": (pet) => [
			sized(`${pet.length}\r\nAuthorization: Bearer ${apiKey}`, pet),
		],
		"a key in the address, in a cookie, or under another scheme": (pet) =>
			[
				`Cookie: Authorization=Bearer ${apiKey}`,
				`Authorization: Basic ${apiKey}`,
				`Authorization: ${apiKey}`,
				`Authorization: Bearer ${apiKey} ${apiKey}`,
				`Authorization_: Bearer ${apiKey}`,
			].map((line) =>
				request(
					`POST /v1/pets?Authorization=Bearer%20${apiKey}`,
					[line, `Content-Length: ${pet.length}`],
					pet,
				),
			),
		"a key of 15,000 bytes, or of other bytes than ASCII": () =>
			["x".repeat(15_000), "\xff\xfe"].map((key) =>
				request("GET /v1/pets", [`Authorization: Bearer ${key}`]),
			),
		"methods that the service does not have": () =>
			["TRACE", "PUT", "DELETE", "PATCH", "PROPFIND"].map((method) =>
				request(`${method} /v1/pets`, []),
			),
		"an add hidden in the body of a caller without a key": (pet) => [
			request(
				"POST /v1/pets",
				[`Content-Length: ${hidden(pet).length}`],
				hidden(pet),
			),
		],
	},
	"404 not_found": {
		"paths that the service does not have": () =>
			[
				"/../../etc/passwd",
				"/%2e%2e/%2e%2e/etc/passwd",
				"/\\..\\etc",
				"//v1/pets",
				"/healthz%00",
				"/\xff\xfe",
				"/\x7f",
				`/${"a".repeat(15_000)}`,
				"http://127.0.0.1:1/v2",
			].map((path) => request(`GET ${path}`, [])),
		"ids that no animal has": () =>
			["%00", "-1", "9".repeat(10_000), "1%2F..", "..%2F1", "1;a", "\xb2"].map(
				(id) =>
					request(`GET /v1/pets/${id}`, [`Authorization: Bearer ${apiKey}`]),
			),
	},
	"400 invalid_parameter": {
		"paths that lead to another part of the service": () =>
			["/v1/../data/petstore.db", "/v1/..\\console", "/v1/%2e%2e/metrics"].map(
				(path) => request(`GET ${path}`, []),
			),
		"parameters that are broken": () =>
			[
				"limit=%",
				"limit=%ff",
				"limit=1&limit=1",
				`limit=${"9".repeat(10_000)}`,
				"status=%00",
				"cursor=\xff",
				"cursor=__proto__",
			].map((query) =>
				request(`GET /v1/pets?${query}`, [`Authorization: Bearer ${apiKey}`]),
			),
		"an Idempotency-Key that is too long, doubled or not of ASCII": (pet) =>
			["x".repeat(256), "a\r\nIdempotency-Key: b", "\xff", ""].map((key) =>
				sized(`${pet.length}\r\nIdempotency-Key: ${key}`, pet),
			),
	},
	"415 unsupported_media_type": {
		"a body of another type, or packed": (pet) =>
			[
				"Content-Type: text/plain",
				"Content-Type: application/json, text/plain",
				"Content-Type: \xff",
				"Content-Encoding: gzip",
				"Content-Encoding: identity, gzip",
			].map((line) => sized(`${pet.length}\r\n${line}`, pet)),
		"an add hidden in a body that is refused": (pet) =>
			[hidden(pet)].flatMap((add) => [
				sized(`${add.length}\r\nContent-Type: message/http`, add),
				coded("chunked\r\nContent-Type: message/http", add),
			]),
	},
	"400 invalid_body": {
		"a body that is no NewPet": (pet) =>
			[
				"[".repeat(60_000),
				`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
				`${pet}\0`,
				`\0${pet}`,
				`${pet}${pet}`,
				pet.slice(1),
				pet.replace('":1', '":1e999999999'),
				pet.replace(/.(?=")/, "\xff"),
				"\xff\xfe{}",
				"",
			].map((body) => sized(body.length, body)),
		"no body at all": () => [
			request("POST /v1/pets", [`Authorization: Bearer ${apiKey}`]),
			post("Transfer-Encoding: chunked", "0\r\n\r\n"),
		],
		"an add hidden in a body that is no JSON": (pet) =>
			[hidden(pet)].flatMap((add) => [
				sized(add.length, add),
				coded("chunked", add),
			]),
	},
	"400 invalid_body + 400 Bad Request": {
		"a body longer than its length": (pet) => [
			sized(pet.length - 1, pet),
			sized(0, pet),
			request("POST /v1/pets", [`Authorization: Bearer ${apiKey}`], pet),
		],
	},
	"413 payload_too_large": {
		"a length above 64 KiB, whatever follows": (pet) => [
			sized(65_537, pet),
			sized(2 ** 32 + pet.length, pet),
			sized(2 ** 53, pet),
			sized("9".repeat(17), pet),
			sized(70_000, hidden(pet)),
			sized(65_537, " ".repeat(65_537)),
		],
		"a length above 64 KiB that is given twice": (pet) => [
			sized("70000\r\nContent-Length: 70000", pet.padStart(70_000)),
		],
		"chunks above 64 KiB": (pet) => [
			post(
				"Transfer-Encoding: chunked",
				`${"1000\r\n".concat(" ".repeat(4_096), "\r\n").repeat(17)}${toChunks(pet)}`,
			),
		],
	},
	"200 OK": {
		"an add hidden in the body of a list": (pet) => [
			request(
				"GET /v1/pets",
				[
					`Authorization: Bearer ${apiKey}`,
					`Content-Length: ${hidden(pet).length}`,
				],
				hidden(pet),
			),
			request(
				"GET /v1/pets",
				[`Authorization: Bearer ${apiKey}`, "Transfer-Encoding: chunked"],
				toChunks(hidden(pet)),
			),
		],
	},
	"400 Bad Request": {
		"an add hidden in the extension of a chunk": (pet) => [
			chunk(`1;${hidden(pet)}`, " "),
		],
	},
};

/** Bodies that do not arrive completely. The answer is 408. */
export const lateBodies: Rows = {
	"a length longer than the body": (pet) => [
		sized(pet.length + 1, pet),
		sized(65_536, pet),
	],
	"a chunk larger than what comes": (pet) => [
		chunk(hex(`${pet}12`), pet, ""),
		chunk(`1${hex(pet).padStart(8, "0")}`, pet),
	],
	"no last chunk": (pet) => [
		chunk(hex(pet), pet, "\r\n"),
		chunk(hex(pet), pet, "\r\n0"),
	],
};

function get(...lines: string[]): string {
	return request("GET /healthz", lines);
}

function post(framing: string, content: string): string {
	return request(
		"POST /v1/pets",
		[`Authorization: Bearer ${apiKey}`, framing],
		content,
	);
}

function sized(length: string | number, content: string): string {
	return post(`Content-Length: ${length}`, content);
}

function coded(codings: string, pet: string): string {
	return post(`Transfer-Encoding: ${codings}`, toChunks(pet));
}

/** One chunk with its size line, and the text after it. */
function chunk(size: string, pet: string, after = "\r\n0\r\n\r\n"): string {
	return post("Transfer-Encoding: chunked", `${size}\r\n${pet}${after}`);
}

function hex(pet: string): string {
	return pet.length.toString(16);
}

function headers(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `X-${index}: x`);
}

/** A complete, authenticated add, to be hidden in another request. */
function hidden(pet: string): string {
	return sized(pet.length, pet);
}

/** "added" means that the animal is in the catalogue afterwards. */
export const answers: Readonly<Record<string, string>> = {
	"text that is no HTTP": "400 Bad Request",
	"a TLS greeting": "400 Bad Request",
	"the preface of HTTP/2": "400 Bad Request",
	"a PROXY line before the request": "400 Bad Request",
	"an empty line before the request": "400 Bad Request",
	"an unknown method, or a known one in lower case": "closed",
	"a space before the method, or two after it": "400 Bad Request",
	"no path, `*`, or a path without a leading slash": "400 Bad Request",
	"a space, a control character or NUL in the path":
		"505 HTTP Version Not Supported",
	"the absolute form with `http` or `https`": "200 OK",
	"the absolute form with another scheme": "400 Bad Request",
	"HTTP/1.0, with or without Host": "200 OK",
	"HTTP/0.9, HTTP/1.2, HTTP/2.0, `http/1.1`": "505 HTTP Version Not Supported",
	"bare LF as line ends": "505 HTTP Version Not Supported",
	"one header line ended by a bare LF or a bare CR": "400 Bad Request",
	"no Host in HTTP/1.1": "400 Bad Request",
	"two Host lines": "200 OK",
	"a folded header": "400 Bad Request",
	"NUL or another control character in a header": "400 Bad Request",
	"a byte above 127 in a header's value": "200 OK",
	"a byte above 127 in a header's name": "400 Bad Request",
	"a space before the colon": "400 Bad Request",
	"a line without a colon, or without a name": "400 Bad Request",
	"a header of 15,000 bytes": "200 OK",
	"a header or a path of 17,000 bytes": "431 Request Header Fields Too Large",
	"a line of a million bytes": "431 Request Header Fields Too Large",
	"190 headers": "200 OK",
	"300 headers": "431 Request Header Fields Too Large",
	"both Content-Length and Transfer-Encoding": "400 Bad Request",
	"Content-Length twice, the same": "201 Created, added",
	"Content-Length twice, not the same": "400 Bad Request",
	"a length with leading zeros": "201 Created, added",
	"a negative length": "400 Bad Request",
	"a length that is empty, a list, or has a plus, a fraction or letters":
		"400 Bad Request",
	"a length of 18 digits and more": "400 Bad Request",
	"`Transfer-Encoding: CHUNKED`, or `chunked` beside empty members":
		"201 Created, added",
	"any other Transfer-Encoding, or several": "400 Bad Request",
	"Transfer-Encoding in HTTP/1.0": "400 Bad Request",
	"a chunk size with leading zeros": "201 Created, added",
	"a chunk size that is empty, or has a sign, a space, `0x` or other letters":
		"400 Bad Request",
	"a chunk size of 2^64 and more": "400 Bad Request",
	"a chunk longer or shorter than its size": "400 Bad Request",
	"a chunk ended by a bare LF or a bare CR": "400 Bad Request",
	"a chunk with an extension": "201 Created, added",
	"a chunk with an extension of 100,000 bytes": "413 Payload Too Large",
	"a trailer after the last chunk, or other bytes in place of the empty line":
		"400 Bad Request, added",
	"nothing in place of the empty line after the last chunk":
		"201 Created, added",
	"`Expect: 100-continue`": "100 Continue + 201 Created, added",
	"a wish to upgrade to a WebSocket or to HTTP/2": "200 OK",
	"a second request before the reply to an add": "closed, added",
	"nothing or half a head for 10 seconds": "closed",
	"a head that comes byte by byte for longer than 10 seconds": "closed",
};
