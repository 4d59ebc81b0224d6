// Reads the calls that shim.c has recorded, and computes what a disk may hold of a file after a power cut.

type FileKind = "database" | "wal" | "journal" | "folder";

export interface Call {
	readonly kind: "write" | "truncate" | "sync" | "failed sync";
	readonly file: FileKind;
	/** The new length, for a truncation. */
	readonly offset: number;
	readonly data: Buffer;
}

/** Leaves out a last call that is incomplete because the process was killed. */
export function readRecord(record: Buffer): Call[] {
	const calls: Call[] = [];
	for (let at = 0; at + headerBytes <= record.length; ) {
		const kind = kinds[record.toString("latin1", at, at + 1)];
		const file = files[record.toString("latin1", at + 1, at + 2)];
		if (kind === undefined || file === undefined)
			throw new Error(`the record is damaged at byte ${at}`);
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
	w: "wal",
	j: "journal",
	f: "folder",
};

/**
 * The file has everything that was synced. Each sector of a later write is stored or not, at random and in no order. Writes before a failed
 * sync are lost, because the kernel marks their pages as clean and does not write them again.
 */
export function afterPowerCut(base: Buffer, calls: readonly Call[]): Buffer {
	const ends = calls.map(({ offset, data }) => offset + data.length);
	const bytes = Buffer.alloc(
		ends.reduce((a, b) => Math.max(a, b), base.length),
	);
	base.copy(bytes);
	let { length } = base;
	function apply({ kind, offset, data }: Call): void {
		data.copy(bytes, offset);
		length = Math.max(length, offset + data.length);
		if (kind !== "truncate") return;
		bytes.fill(0, offset);
		length = offset;
	}
	let unsynced: Call[] = [];
	for (const call of calls) {
		if (call.kind === "sync") unsynced.forEach(apply);
		if (call.kind === "write" || call.kind === "truncate") unsynced.push(call);
		else unsynced = [];
	}
	const share = [0, 0.5, 1][Math.floor(Math.random() * 3)] ?? 0;
	for (const part of unsynced.flatMap(toSectors))
		if (Math.random() < share) apply(part);
	return bytes.subarray(0, length);
}

const sectorBytes = 512;

/** Splits a write at the sector boundaries. */
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
