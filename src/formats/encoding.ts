// Converts UTF-16, which spreadsheets write with a byte order mark, to UTF-8. Other files stay as they are.

export function createTranscoder() {
	let encoding: Encoding | undefined;
	let kept: Uint8Array = new Uint8Array();

	function take(chunk: Uint8Array, isLast: boolean): Uint8Array {
		if (encoding === "utf-8") return chunk;
		const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
		if (bytes.length >= 2) encoding ??= findEncoding(bytes);
		const isUtf16 = encoding !== undefined && encoding !== "utf-8";
		const end = isUtf16 ? endOfUnits(bytes, encoding === "utf-16be") : 0;
		const length = encoding === "utf-8" || isLast ? bytes.length : end;
		kept = bytes.subarray(length);
		const taken = bytes.subarray(0, length);
		return isUtf16 ? toUtf8(taken, encoding === "utf-16be") : taken;
	}

	return {
		push: (chunk: Uint8Array) => take(chunk, false),
		end: () => take(new Uint8Array(), true),
	};
}

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

function findEncoding([first, second]: Uint8Array): Encoding {
	if (first === 0xff && second === 0xfe) return "utf-16le";
	return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function endOfUnits(bytes: Uint8Array, isBigEndian: boolean): number {
	const end = bytes.length - (bytes.length % 2);
	const high = bytes[isBigEndian ? end - 2 : end - 1] ?? 0;
	return high >= 0xd8 && high <= 0xdb ? end - 2 : end;
}

/** Half a character becomes a byte that is not UTF-8, so that its line is refused. */
function toUtf8(bytes: Uint8Array, isBigEndian: boolean): Uint8Array {
	const whole = Buffer.from(bytes.subarray(0, bytes.length & ~1));
	const text = (isBigEndian ? whole.swap16() : whole).toString("utf16le");
	const pieces = text
		.split(/\p{Surrogate}/u)
		.map((piece) => Buffer.from(piece));
	if (bytes.length % 2 === 1) pieces.push(Buffer.alloc(0));
	return Buffer.concat(
		pieces.flatMap((piece, index) =>
			index === 0 ? [piece] : [invalid, piece],
		),
	);
}

const invalid = Buffer.from([0xff]);
