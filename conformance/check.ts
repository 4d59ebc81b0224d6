// Compares a reply with what is expected. Each difference is a sentence.

import { parseExactly } from "../src/json.ts";
import { type Expectation, type PetsExpectation, statuses } from "./case.ts";

export interface CaseReply {
	readonly status: number;
	readonly headers: Headers;
	readonly bytes: Uint8Array;
}

/** `fill` replaces placeholders; `saved` returns the body of an earlier reply. */
export function check(
	expectation: Expectation,
	reply: CaseReply,
	fill: (text: string) => string,
	saved: (name: string) => string,
): string[] {
	const problems = compare(expectation, reply, fill, saved);
	const { or } = expectation;
	return or && compare(or, reply, fill, saved).length === 0 ? [] : problems;
}

function compare(
	expectation: Expectation,
	reply: CaseReply,
	fill: (text: string) => string,
	saved: (name: string) => string,
): string[] {
	const text = new TextDecoder().decode(reply.bytes);
	const problems = checkHeaders(expectation, reply.headers, fill);
	if (reply.status !== expectation.status)
		problems.unshift(
			`the status is ${reply.status}, not ${expectation.status}`,
		);
	if (expectation.empty && text !== "") problems.push("the body is not empty");
	if (expectation.text && !expectation.text.test(text))
		problems.push(`the body does not match ${expectation.text}`);
	if (expectation.sameAs !== undefined && text !== saved(expectation.sameAs))
		problems.push(
			`the body differs from that of an earlier reply: ${saved(expectation.sameAs)}`,
		);
	const { error, message, pet, pets } = expectation;
	if (error === undefined && message === undefined && !pet && !pets)
		return problems;
	const value = parsed(reply.bytes);
	if (error !== undefined || message !== undefined)
		problems.push(...checkError(value, expectation));
	if (pet) problems.push(...checkPet(value, pet, fill));
	if (pets) problems.push(...checkPets(value, pets, fill));
	return problems;
}

function checkHeaders(
	{ headers: expected = {} }: Expectation,
	headers: Headers,
	fill: (text: string) => string,
): string[] {
	return Object.entries(expected).flatMap(([name, wanted]) => {
		const value = headers.get(name);
		if (wanted === null)
			return value === null
				? []
				: [`the header ${name} is ${value}, but must be absent`];
		const isRight =
			typeof wanted === "string"
				? value === fill(wanted)
				: value !== null && wanted.test(value);
		const shown = typeof wanted === "string" ? fill(wanted) : String(wanted);
		return isRight
			? []
			: [`the header ${name} is ${value ?? "missing"}, not ${shown}`];
	});
}

function checkError(
	value: unknown,
	{ error, message, status }: Expectation,
): string[] {
	if (!isRecord(value)) return ["the body is not an Error object"];
	const problems = [];
	if (typeof value.code !== "string")
		problems.push("Error.code is not a string");
	else if (typeof error === "string" && value.code !== error)
		problems.push(`Error.code is ${value.code}, not ${error}`);
	if (typeof value.message !== "string")
		problems.push("Error.message is not a string");
	else if (message && !message.test(value.message))
		problems.push(`Error.message "${value.message}" does not match ${message}`);
	if (value.status !== BigInt(status))
		problems.push(`Error.status is ${toShown(value.status)}, not ${status}`);
	return problems;
}

function checkPet(
	value: unknown,
	wanted: Readonly<Record<string, string>>,
	fill: (text: string) => string,
): string[] {
	if (!isRecord(value)) return ["the Pet is not an object"];
	const problems = [];
	if (typeof value.id !== "bigint")
		problems.push(`Pet.id is ${toShown(value.id)}, not an int64`);
	if (typeof value.name !== "string") problems.push("Pet.name is not a string");
	if (typeof value.categoryId !== "bigint")
		problems.push(
			`Pet.categoryId is ${toShown(value.categoryId)}, not an int64`,
		);
	if (value.status !== undefined && !statuses.includes(String(value.status)))
		problems.push(
			`Pet.status is ${toShown(value.status)}, not one of ${statuses.join(", ")}`,
		);
	for (const [member, expected] of Object.entries(wanted))
		if (String(value[member]) !== fill(expected))
			problems.push(
				`Pet.${member} is ${toShown(value[member])}, not ${fill(expected)}`,
			);
	return problems;
}

function checkPets(
	value: unknown,
	wanted: PetsExpectation,
	fill: (text: string) => string,
): string[] {
	if (!Array.isArray(value)) return ["the body is not an array"];
	const problems = [];
	const ids = value.map((pet) => (isRecord(pet) ? String(pet.id) : ""));
	const { exactly = ids.length, atMost = ids.length } = wanted;
	if (ids.length !== exactly)
		problems.push(`the list has ${ids.length} animals, not ${exactly}`);
	if (ids.length > atMost)
		problems.push(`the list has ${ids.length} animals, more than ${atMost}`);
	for (const [place, id] of (wanted.first ?? []).entries())
		if (ids[place] !== fill(id))
			problems.push(
				`the id at position ${place + 1} of the list is ${ids[place] ?? "missing"}, not ${fill(id)}`,
			);
	const isFull = ids.length === wanted.fullAt;
	for (const id of wanted.has ?? [])
		if (!isFull && !ids.includes(fill(id)))
			problems.push(`animal ${fill(id)} is missing`);
	for (const id of wanted.lacks ?? [])
		if (ids.includes(fill(id)))
			problems.push(`animal ${fill(id)} is in the list, but must not be`);
	const all = wanted.status === undefined ? {} : { status: wanted.status };
	return [...problems, ...value.flatMap((pet) => checkPet(pet, all, fill))];
}

/** With quotes around text, so that "1" and 1 look different. */
function toShown(value: unknown): string {
	if (value === undefined) return "missing";
	return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(bytes: Uint8Array): unknown {
	try {
		const decoder = new TextDecoder("utf-8", { fatal: true });
		return parseExactly(decoder.decode(bytes));
	} catch {
		return undefined;
	}
}
