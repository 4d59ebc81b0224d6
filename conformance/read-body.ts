// Reads the body of a reply. An endless body must not fill the memory.

/** A list of 100 animals with the longest names of our service has 6.3 MiB. */
const maxMebibytes = 16;

export async function readBody(response: Response): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	let size = 0;
	for await (const part of response.body ?? []) {
		size += part.length;
		if (size > maxMebibytes * 1024 ** 2)
			throw new RangeError(`the body has more than ${maxMebibytes} MiB`);
		parts.push(part);
	}
	return Buffer.concat(parts);
}
