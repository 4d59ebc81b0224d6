// Valid requests, and random mutations of them.
import { request, toChunks } from "../harness/raw.ts";
import type { Random } from "./random.ts";

/** Requests that the service understands. Only the adds contain the name. */
export function validRequests(apiKey: string, name: string) {
	const body = JSON.stringify({ name, categoryId: 1, status: "pending" });
	const sized = [
		"Content-Type: application/json",
		`Content-Length: ${body.length}`,
	];
	const key = `Authorization: Bearer ${apiKey}`;
	return {
		list: request("GET /v1/pets?limit=2&status=sold", [key, "Accept: */*"]),
		get: request("GET /v1/pets/1", [key, 'If-None-Match: "x"']),
		head: request("HEAD /v1/pets", [key]),
		options: request("OPTIONS /v1/pets", ["Origin: http://shop.example"]),
		add: request("POST /v1/pets", [key, ...sized], body),
		addOnce: request(
			"POST /v1/pets",
			[...sized, `Idempotency-Key: ${name}`, key],
			body,
		),
		addChunked: request(
			"POST /v1/pets",
			[key, "Transfer-Encoding: chunked"],
			toChunks(body),
		),
		addWithoutKey: request("POST /v1/pets", sized, body),
		addWithWrongKey: request("POST /v1/pets", [`${key}x`, ...sized], body),
	};
}

/** Applies one to three mutations. Some of them take text from the `others`. */
export function mutate(
	text: string,
	others: readonly string[],
	random: Random,
): string {
	let mutated = text;
	for (let left = 1 + random(3); left > 0; left--)
		mutated = pick(mutations, random)(mutated, random, others);
	return mutated;
}

type Mutation = (
	text: string,
	random: Random,
	others: readonly string[],
) => string;

const mutations: readonly Mutation[] = [
	function flipBit(text, random) {
		const at = random(text.length);
		const flipped = (text.charCodeAt(at) || 0) ^ (1 << random(8));
		return replaced(text, at, at + 1, String.fromCharCode(flipped));
	},
	function putOddByte(text, random) {
		const at = random(text.length);
		return replaced(text, at, at + random(2), pick(oddBytes, random));
	},
	function deleteRange(text, random) {
		const [from, to] = range(text, random);
		return replaced(text, from, to, "");
	},
	function duplicateRange(text, random) {
		const [from, to] = range(text, random);
		return replaced(text, to, to, text.slice(from, to));
	},
	function cutOff(text, random) {
		return text.slice(0, random(text.length));
	},
	function splice(text, random, others) {
		const other = pick(others, random);
		return (
			text.slice(0, random(text.length)) + other.slice(random(other.length))
		);
	},
	function append(text, random, others) {
		return text + pick(others, random);
	},
	function duplicateLine(text, random) {
		const lines = text.split("\r\n");
		lines.splice(random(lines.length), 0, pick(lines, random));
		return lines.join("\r\n");
	},
	function insertLine(text, random) {
		const lines = text.split("\r\n");
		lines.splice(1 + random(lines.length), 0, pick(oddLines, random));
		return lines.join("\r\n");
	},
	function changeNumber(text, random) {
		const numbers = [...text.matchAll(/[0-9a-f]+(?=\r\n)/g)];
		if (numbers.length === 0) return text;
		const { 0: number, index } = pick(numbers, random);
		const odd = pick(oddNumbers, random)(Number.parseInt(number, 10) || 0);
		return replaced(text, index, index + number.length, odd);
	},
	function changeLineEnd(text, random) {
		const ends = [...text.matchAll(/\r\n/g)];
		if (ends.length === 0) return text;
		const { index } = pick(ends, random);
		return replaced(text, index, index + 2, pick(oddLineEnds, random));
	},
];

const oddBytes = [
	"\0",
	"\r",
	"\n",
	" ",
	"\t",
	":",
	",",
	";",
	"-",
	"\x7f",
	"\xff",
	"{",
	'"',
	"%",
];
const oddLines = [
	"Transfer-Encoding: chunked",
	"Transfer-Encoding: identity",
	"Content-Length: 0",
	"Content-Length: 10",
	"Connection: close",
	"Connection: Upgrade",
	"Expect: 100-continue",
	"Authorization: Bearer none",
	"Content-Encoding: gzip",
	"Host: y",
	"",
];
const oddNumbers: readonly ((number: number) => string)[] = [
	(number) => `${number + 1}`,
	(number) => `${number - 1}`,
	(number) => `-${number}`,
	(number) => `0${number}`,
	(number) => `${number}, ${number}`,
	(number) => `0x${number.toString(16)}`,
	() => "0",
	() => "99999",
	() => "18446744073709551615",
];
const oddLineEnds = ["\n", "\r", "", "\n\r", "\r\n\r\n", "\r\n ", "\r\r\n"];

function range(text: string, random: Random): [from: number, to: number] {
	const from = random(text.length);
	return [from, from + 1 + random(20)];
}

function replaced(text: string, from: number, to: number, by: string): string {
	return text.slice(0, from) + by + text.slice(to);
}

function pick<Item>(items: readonly Item[], random: Random): Item {
	const item = items[random(items.length)];
	if (item === undefined) throw new Error("There is nothing to pick from.");
	return item;
}
