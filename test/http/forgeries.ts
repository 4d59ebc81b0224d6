// Makes invalid Authorization values from a valid key, in many ways that an attacker might try.
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { makeKey } from "../harness/key.ts";
import { mutate } from "./mutation.ts";
import type { Random } from "./random.ts";

/** Returns `count` different values: first the systematic ones, then mutations. No value has NUL, CR, LF or a character above 255. */
export function forgeries(
	key: string,
	count: number,
	random: Random,
): string[] {
	const valid = `Bearer ${key}`;
	const others = [valid, `Basic ${btoa(`:${key}`)}`, `Bearer ${newKey()}`];
	const forged = new Set(
		[
			// First, while the service has the key in its cache.
			...withSameChecksum(key).map((credentials) => `Bearer ${credentials}`),
			...withOneFault(key).map((credentials) => `Bearer ${credentials}`),
			...encoded(key).map((credentials) => `Bearer ${credentials}`),
			...Array.from({ length: 1_000 }, () => `Bearer ${newKey()}`),
			...inOtherForms(key),
			...oversized(key),
		].filter((value) => !isValid(value, key)),
	);
	while (forged.size < count) {
		const mutant = mutate(valid, others, random).replace(/[\0\r\n]/g, "_");
		if (!isValid(mutant, key)) forged.add(mutant);
	}
	return [...forged].slice(0, count);
}

/** Spaces and tabs around a header's value are not part of it. */
function isValid(value: string, key: string): boolean {
	const [, token] = /^[ \t]*bearer +([^ ]+?)[ \t]*$/i.exec(value) ?? [];
	return token === key;
}

/** Each character replaced, left out, doubled or swapped, each beginning and each end of the key, and one more character. */
function withOneFault(key: string): string[] {
	const places = [...key].map((own, at) => ({
		own,
		before: key.slice(0, at),
		after: key.slice(at + 1),
	}));
	return [
		...places.flatMap(({ own, before, after }) => [
			...visible.map((other) => before + other + after),
			...[...visible, own + own].map((more) => before + more + own + after),
			...[before + after, before, after, `${before}\u00e9${after}`],
			...[before + after.slice(0, 1) + own + after.slice(1)],
			...[
				before + own.toUpperCase() + after,
				before + own.toLowerCase() + after,
			],
		]),
		...visible.map((more) => key + more),
	];
}

/**
 * Other texts with the CRC-32 of the key: a prefix and six letters. The first three letters change the checksum independently
 * of the last three, so the two halves are searched separately.
 */
function withSameChecksum(key: string): string[] {
	const start = "pet_of_somebody_else_";
	const wanted = crc32(key) ^ crc32(`${start}aaaaaa`);
	const firsts = new Map(
		triples.map((first) => [crc32(`${start}${first}aaa`), first]),
	);
	return triples.flatMap((last) => {
		const first = firsts.get((wanted ^ crc32(`${start}aaa${last}`)) >>> 0);
		return first === undefined ? [] : [start + first + last];
	});
}

const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const triples = letters.flatMap((a) =>
	letters.flatMap((b) => letters.map((c) => a + b + c)),
);

const visible = Array.from({ length: 94 }, (_, index) =>
	String.fromCharCode(33 + index),
);

/** The stored hash, other encodings of the key, and texts that a careless comparison would accept. */
function encoded(key: string): string[] {
	const digest = hash("sha256", key);
	return [
		...[digest, `sha256:${digest}`, hash("sha256", key, "base64")],
		...[btoa(key), encodeURIComponent(`${key}\0`), key.slice(0, 8)],
		...[key.toUpperCase(), key.toLowerCase(), [...key].reverse().join("")],
		...[`"${key}"`, `<${key}>`, `token=${key}`, key + key, `${key}, ${key}`],
		...[`\t${key}`, `${key}\u00a0`, `${key}\u0085`, "*", "%", ".*", "null"],
		// An invisible character before or after the key, as UTF-8.
		...[`\ufeff${key}`, `${key}\u200b`].map((text) =>
			Buffer.from(text).toString("latin1"),
		),
	];
}

function inOtherForms(key: string): string[] {
	return [
		...["", "Basic", "Digest", "Token", "ApiKey", "Bearer:", "Bearer,"].map(
			(scheme) => `${scheme} ${key}`,
		),
		...[`Bearer${key}`, `Bearer\t${key}`, `Bearer=${key}`, `Bearer ${key} x`],
		...[`Basic ${btoa(key)}`, `Basic ${btoa(`:${key}`)}`],
		...[`Basic x, Bearer ${key}`, `Bearer ${key}, Basic x`],
		...["Bearer", "Bearer ", "Bearer Bearer", `Bearer Bearer ${key}`, key, ""],
	];
}

function oversized(key: string): string[] {
	return [10_000, 1_000_000].flatMap((length) => [
		`Bearer ${key}${"x".repeat(length)}`,
		`Bearer ${"x".repeat(length)}${key}`,
		`Bearer ${" ".repeat(length)}${key}x`,
	]);
}

/** A key with the right form and checksum that is not in the store. */
function newKey(): string {
	return makeKey({ name: "x", scope: "read", expiresAt: undefined }).key;
}
