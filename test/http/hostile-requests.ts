// Hostile requests as data. test/http/hostile.slow.test.ts sends them.
import { request, toChunks } from "../harness/raw.ts";

/** The valid key. */
export const apiKey = "a-key-known-to-the-tests";

/** Adds with a framing that two programs could read differently. Bun refuses them. None may add an animal, or get a reply of the service. */
export function toBadlyFramed(pet: string): readonly string[] {
	const { length } = pet;
	return [
		coded("\r\n chunked", pet),
		coded("\x0bchunked", pet),
		sized(`${length}\0`, pet),
		post(`Content-Length : ${length}`, pet),
		post("Transfer-Encoding : chunked", toChunks(pet)),
		coded(`chunked\r\nContent-Length: ${length}`, pet),
		sized(`${length}\r\nTransfer-Encoding: chunked`, toChunks(pet)),
		sized(`${length}\r\nTransfer-Encoding: identity`, pet),
		sized(`${length}\r\nContent-Length: 5`, pet),
		sized(`5\r\nContent-Length: ${length}`, pet),
		...[
			...["", `${length}, ${length}`, `+${length}`, `-${length}`],
			...[`${length}e0`, `0x${hex(pet)}`, `${2n ** 64n + BigInt(length)}`],
		].map((value) => sized(value, pet)),
		...[
			...["gzip, chunked", "chunked, chunked", "identity", "xchunked", ""],
			"chunked\r\nTransfer-Encoding: chunked",
		].map((codings) => coded(codings, pet)),
		coded("chunked", pet).replace("HTTP/1.1", "HTTP/1.0"),
		...[
			...["", `-${hex(pet)}`, `+${hex(pet)}`, ` ${hex(pet)}`, `${hex(pet)} `],
			...[`0x${hex(pet)}`, "zz", `1${hex(pet).padStart(16, "0")}`],
			...["f".repeat(100), hex(pet.slice(1)), hex(`${pet}x`), `${hex(pet)}\n`],
			`${hex(pet)};${"a".repeat(100_000)}`,
		].map((size) => chunk(size, pet)),
		chunk(hex(pet), pet, "\n0\n\n"),
		chunk(hex(pet), pet, "\r0\r\r"),
		chunk(`1;${hidden(pet)}`, " "),
		sized(length, pet).replaceAll("\r", ""),
	];
}

/** By the answer of the service. It must not execute an add that is hidden in a body. */
export const byTheService: Readonly<
	Record<string, (pet: string) => readonly string[]>
> = {
	"401 unauthenticated": (pet) => [
		request("POST /v1/pets", [`Content-Length: ${pet.length}`], pet),
		request(
			"POST /v1/pets",
			[`Content-Length: ${hidden(pet).length}`],
			hidden(pet),
		),
		...["x".repeat(15_000), "\xff\xfe"].map((key) =>
			request("GET /v1/pets", [`Authorization: Bearer ${key}`]),
		),
		...["TRACE", "PUT", "DELETE", "PATCH", "PROPFIND"].map((method) =>
			request(`${method} /v1/pets`, []),
		),
	],
	"404 not_found": () => [
		...[
			...["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/\\..\\etc"],
			...["//v1/pets", "/healthz%00", "/\xff\xfe", "/\x7f"],
			...[`/${"a".repeat(15_000)}`, "http://127.0.0.1:1/v2"],
		].map((path) => request(`GET ${path}`, [])),
		...["%00", "9".repeat(10_000), "1%2F..", "..%2F1", "1;a", "\xb2"].map(
			(id) =>
				request(`GET /v1/pets/${id}`, [`Authorization: Bearer ${apiKey}`]),
		),
	],
	"400 invalid_parameter": (pet) => [
		...[`limit=${"9".repeat(10_000)}`, "status=%00", "cursor=\xff"].map(
			(query) =>
				request(`GET /v1/pets?${query}`, [`Authorization: Bearer ${apiKey}`]),
		),
		...["a\r\nIdempotency-Key: b", "\xff"].map((key) =>
			sized(`${pet.length}\r\nIdempotency-Key: ${key}`, pet),
		),
	],
	"415 unsupported_media_type": (pet) => [
		sized(`${pet.length}\r\nContent-Type: \xff`, pet),
		...[hidden(pet)].flatMap((add) => [
			sized(`${add.length}\r\nContent-Type: message/http`, add),
			coded("chunked\r\nContent-Type: message/http", add),
		]),
	],
	"400 invalid_body": (pet) => [
		...[
			...["[".repeat(60_000), `${pet}\0`, `\0${pet}`, pet.slice(1), ""],
			`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
			pet.replace('":1', '":1e999999999'),
			pet.replace(/.(?=")/, "\xff"),
			"\xff\xfe{}",
			hidden(pet),
		].map((body) => sized(body.length, body)),
		coded("chunked", hidden(pet)),
		request("POST /v1/pets", [`Authorization: Bearer ${apiKey}`]),
		post("Transfer-Encoding: chunked", "0\r\n\r\n"),
	],
	"400 invalid_body + 400 Bad Request": (pet) => [
		sized(pet.length - 1, pet),
		sized(0, pet),
		request("POST /v1/pets", [`Authorization: Bearer ${apiKey}`], pet),
	],
	"413 payload_too_large": (pet) => [
		...[65_537, 2 ** 32 + pet.length, 2 ** 53, "9".repeat(17)].map((length) =>
			sized(length, pet),
		),
		sized(70_000, hidden(pet)),
		sized("70000\r\nContent-Length: 70000", pet.padStart(70_000)),
		post(
			"Transfer-Encoding: chunked",
			`${"1000\r\n".concat(" ".repeat(4_096), "\r\n").repeat(17)}${toChunks(pet)}`,
		),
	],
	"200 OK": (pet) => [
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
};

/** Odd texts for the parts of a request. */
export function toOdd(key: string, paths: readonly string[]): string[] {
	return paths.flatMap((path, index) =>
		Object.entries(places).flatMap(([place, write]) => {
			// All bytes in each place, and for Host at each path.
			const own = bytes.filter(
				(_, at) => place === "Host" || at % paths.length === index,
			);
			return [...own.map((byte) => `a${byte}b`), ...texts].map((text) => {
				const { target = path, ...lines } = write(text, path);
				const { Host = "localhost", ...others } = lines;
				return [
					...[`GET ${target} HTTP/1.1`, `Host: ${Host}`, "Connection: close"],
					`Authorization: Bearer ${key}`,
					...toLines({ Accept: "text/html", ...others }),
					...["", ""],
				].join("\r\n");
			});
		}),
	);
}

/** In odd texts, where it is markup. No page may have it. */
export const markup = "<odd>";

const bytes = Array.from({ length: 255 }, (_, index) =>
	String.fromCharCode(index + 1),
);

const texts = [
	...["", "a b", `">${markup}`, `'${markup}`, `%22%3E${markup}`, "*", ".."],
	...["[::1]:8080", "[::1", "x:99999", "x:abc", ":80", "example.com.", "a@b"],
	...["%", "%00", "%zz", "%c0%af", "\xc0\xaf", "%ed%a0%80", "%ff", "a\\b"],
	...["a,b", "a".repeat(8_192), "a\r\nHost: b", `petstore="${markup}; a=%`],
];

const places: Readonly<
	Record<
		string,
		(text: string, path: string) => Readonly<Record<string, string>>
	>
> = {
	Host: (text) => ({ Host: text }),
	path: (text, path) => ({ target: `${path}/${text}` }),
	"path below": (text, path) => ({ target: `/${text}/..${path}` }),
	"two slashes": (text, path) => ({ target: `//${text}${path}` }),
	"absolute form": (text, path) => ({ target: `http://${text}${path}` }),
	query: (text, path) => ({
		target: `${path}?${text}&limit=${text}&version=${text}`,
	}),
	...Object.fromEntries(
		[
			...["Accept", "Accept-Language", "Accept-Encoding", "Origin", "Cookie"],
			...["Forwarded", "X-Forwarded-Host", "Referer", "If-None-Match"],
		].map((name) => [name, (text: string) => ({ [name]: text })]),
	),
};

function toLines(headers: Readonly<Record<string, string>>): string[] {
	return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function post(framing: string, content: string): string {
	return request(
		"POST /v1/pets",
		[`Authorization: Bearer ${apiKey}`, framing],
		content,
	);
}

export function sized(length: string | number, content: string): string {
	return post(`Content-Length: ${length}`, content);
}

export function coded(codings: string, pet: string): string {
	return post(`Transfer-Encoding: ${codings}`, toChunks(pet));
}

/** One chunk with its size line, and the text after it. */
function chunk(size: string, pet: string, after = "\r\n0\r\n\r\n"): string {
	return post("Transfer-Encoding: chunked", `${size}\r\n${pet}${after}`);
}

function hex(pet: string): string {
	return pet.length.toString(16);
}

/** A complete, authenticated add, to be hidden in another request. */
function hidden(pet: string): string {
	return sized(pet.length, pet);
}
