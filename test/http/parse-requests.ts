// Parses the requests in a text strictly, so that a test knows which animals a mutated text may add.

/** Whether the text begins with a complete request. */
export function startsWithRequest(sent: string): boolean {
	return readRequest(sent) !== undefined;
}

/** The names of the animals in the complete, authenticated adds of the text. */
export function requestedNames(sent: string, apiKey: string): string[] {
	const names: string[] = [];
	for (let rest = sent; ; ) {
		const read = readRequest(rest);
		if (read === undefined) return names;
		rest = read.rest;
		const name = isAdd(read, apiKey) ? toName(read.body) : undefined;
		if (name !== undefined) names.push(name);
	}
}

interface RawRequest {
	readonly method: string;
	readonly target: string;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: string;
	/** The text after the request. */
	readonly rest: string;
}

function readRequest(text: string): RawRequest | undefined {
	const end = text.indexOf("\r\n\r\n");
	if (end === -1) return undefined;
	const [start = "", ...lines] = text.slice(0, end).split("\r\n");
	const [, method, target] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(start) ?? [];
	const headers = lines.flatMap((line) => {
		const [, name, value] =
			/^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
		return name === undefined || value === undefined
			? []
			: [[name.toLowerCase(), value] as const];
	});
	if (
		method === undefined ||
		target === undefined ||
		headers.length < lines.length
	)
		return undefined;
	const framed = readBody(headers, text.slice(end + 4));
	return framed && { method, target, headers, ...framed };
}

type Framed = Pick<RawRequest, "body" | "rest">;

function readBody(
	headers: RawRequest["headers"],
	text: string,
): Framed | undefined {
	const lengths = valuesOf(headers, "content-length");
	const codings = valuesOf(headers, "transfer-encoding");
	if (codings.length > 0)
		return isChunked(codings) && lengths.length === 0
			? readChunks(text)
			: undefined;
	const [length = "0", ...others] = new Set(lengths);
	if (!/^\d+$/.test(length) || others.length > 0) return undefined;
	return text.length < Number(length)
		? undefined
		: { body: text.slice(0, Number(length)), rest: text.slice(Number(length)) };
}

/** Several lines form one list without its empty members. */
function isChunked(codings: readonly string[]): boolean {
	return /^[, \t]*chunked[, \t]*$/i.test(codings.join());
}

function readChunks(text: string): Framed | undefined {
	let body = "";
	for (let rest = text; ; ) {
		const [line, digits] = /^([0-9a-f]+)(?:;[^\r\n]*)?\r\n/i.exec(rest) ?? [];
		if (line === undefined || digits === undefined) return undefined;
		const size = Number.parseInt(digits, 16);
		rest = rest.slice(line.length);
		// The service has the whole body here. A trailer does not change the request.
		if (size === 0) return { body, rest: rest.replace(/^\r\n/, "") };
		if (rest.slice(size, size + 2) !== "\r\n") return undefined;
		body += rest.slice(0, size);
		rest = rest.slice(size + 2);
	}
}

function isAdd(
	{ method, target, headers }: RawRequest,
	apiKey: string,
): boolean {
	const [authorization, ...others] = valuesOf(headers, "authorization");
	return (
		method === "POST" &&
		URL.parse(target, "http://x")?.pathname === "/v1/pets" &&
		/^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] === apiKey &&
		others.length === 0
	);
}

function toName(body: string): string | undefined {
	try {
		const pet: unknown = JSON.parse(utf8.decode(Buffer.from(body, "latin1")));
		return typeof pet === "object" && pet !== null && "name" in pet
			? String(pet.name)
			: undefined;
	} catch {
		return undefined;
	}
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function valuesOf(headers: RawRequest["headers"], wanted: string): string[] {
	return headers.filter(([name]) => name === wanted).map(([, value]) => value);
}
