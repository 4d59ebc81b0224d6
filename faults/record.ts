// The record that shim.c writes of a database's files, and what a disk could hold of them after a power cut.

export type FileKind = "database" | "log" | "journal" | "folder";

export interface Call {
	readonly kind: "write" | "truncate" | "sync" | "failed sync";
	readonly file: FileKind;
	/** For a truncation, the new length. */
	readonly offset: number;
	readonly data: Buffer;
}

/** A process that is killed may leave its last call incomplete: that one was not done. */
export function readRecord(record: Buffer): Call[] {
	const calls: Call[] = [];
	for (let at = 0; at + headerBytes <= record.length; ) {
		const kind = kinds[record.toString("latin1", at, at + 1)];
		const file = files[record.toString("latin1", at + 1, at + 2)];
		if (kind === undefined || file === undefined)
			throw new Error(`the record is damaged at ${at}`);
		const offset = Number(record.readBigUInt64LE(at + 6));
		const end = at + headerBytes + record.readUInt32LE(at + 2);
		if (end > record.length) break;
		const data = record.subarray(at + headerBytes, end);
		calls.push({ kind, file, offset, data });
		at = end;
	}
	return calls;
}

const headerBytes = 14;
const kinds: Readonly<Record<string, Call["kind"]>> = {
	w: "write",
	t: "truncate",
	s: "sync",
	x: "failed sync",
};
const files: Readonly<Record<string, FileKind>> = {
	d: "database",
	w: "log",
	j: "journal",
	f: "folder",
};

/**
 * All that was synced is there. Of the rest, each sector is there or not, by chance and in no order. What a failed sync left
 * behind is gone: the kernel takes such pages for clean and does not write them again.
 */
export function afterPowerCut(base: Buffer, calls: readonly Call[]): Buffer {
	const image = new Image(base);
	let unsynced: Call[] = [];
	for (const call of calls) {
		if (call.kind === "sync") for (const done of unsynced) image.apply(done);
		if (call.kind === "write" || call.kind === "truncate") unsynced.push(call);
		else unsynced = [];
	}
	const share = [0, 0.5, 1][Math.floor(Math.random() * 3)] ?? 0;
	for (const part of unsynced.flatMap(toSectors))
		if (Math.random() < share) image.apply(part);
	return image.toBuffer();
}

const sectorBytes = 512;

/** One call a sector. */
function toSectors(call: Call): Call[] {
	const parts: Call[] = [];
	for (let begin = 0; begin < call.data.length; ) {
		const rest = sectorBytes - ((call.offset + begin) % sectorBytes);
		const data = call.data.subarray(begin, begin + rest);
		parts.push({ ...call, offset: call.offset + begin, data });
		begin += rest;
	}
	return call.kind === "truncate" ? [call] : parts;
}

/** The bytes of a file that grows and shrinks. */
class Image {
	#bytes: Buffer;
	#length: number;

	constructor(base: Buffer) {
		this.#bytes = Buffer.from(base);
		this.#length = base.length;
	}

	apply({ kind, offset, data }: Call): void {
		const end = kind === "truncate" ? offset : offset + data.length;
		if (end > this.#bytes.length)
			this.#bytes = Buffer.concat([this.#bytes], end * 2);
		if (kind === "truncate") {
			this.#bytes.fill(0, offset);
			this.#length = offset;
		} else {
			data.copy(this.#bytes, offset);
			this.#length = Math.max(this.#length, end);
		}
	}

	toBuffer(): Buffer {
		return this.#bytes.subarray(0, this.#length);
	}
}
