// Files with animals for tests: what public collections of CSV and JSON tests try, good files, and files that are damaged at random.
import { isUtf8 } from "node:buffer";
import type { FileFormat } from "../../src/domain/file-format.ts";
import { petToJson } from "../../src/domain/pet.ts";
import { separators, toCsvLine } from "../../src/formats/csv.ts";
import { toPet } from "../harness/pet.ts";
import type { Random } from "../http/random.ts";

export const header = "name,categoryId,status\n";
const unreadable = "\u{FEFF}";

export const csvCases: Readonly<Record<string, string>> = {
	"an empty name": `${header},1,sold\n`,
	"an empty name in quotes": `${header}"",1,sold\n`,
	"a quoted quote": `${header}"say ""hi""",1,\n`,
	"a quoted comma": `${header}"Rex, the dog",1,sold\n`,
	"quoted line ends": `${header}"a\nb\r\nc",1,sold\nTom,2,\n`,
	CRLF: "name,categoryId\r\nRex,1\r\nTom,2\r\n",
	"CR only": "name,categoryId\rRex,1\rTom,2\r",
	"a CR inside a field": `${header}Re\rx,1,sold\nTom,1,\n`,
	"a CR at the end of the file": `${header}Rex,1,sold\r`,
	"a quote at the end of the file": `${header}Rex,1,"sold"`,
	"a space after a quote": `${header}"Rex" ,1,sold\nTom,1,\n`,
	"an empty field in quotes as a line": `${header}""\nRex,1,\n`,
	"no line end at the end": `${header}Rex,1,sold`,
	"a byte order mark": `${unreadable}${header}Rex,1,sold\n`,
	"a byte order mark in a name": `${header}${unreadable}Rex,1,sold\n`,
	"ragged rows": `${header}Rex\nTom,1\nTim,1,sold,x\nok,1,\n`,
	"empty lines": `\n${header}\n\r\nRex,1,sold\n\n`,
	"NUL in a name": `${header}R\0ex,1,sold\nTom,1,\n`,
	"a quote in a plain field": `${header}R"ex,1,sold\nTom,1,\n`,
	"text after a closing quote": `${header}"Rex"x,1,sold\nTom,1,\n`,
	"a space before a quote": `${header} "Rex",1,sold\nTom,1,\n`,
	"an open quote": `${header}Tom,1,\n"Rex,1,sold\nTim,2,\n`,
	"an open quote that a later line closes": `${header}"Rex,1,sold\n"Tim",2,\nTom,3,\n`,
	"spaces, which belong to the field": `${header} Rex ,1,sold\nTom, 1,\n`,
	"int64 extremes": `${header}a,9223372036854775807,\nb,-9223372036854775808,\nc,9223372036854775808,\n`,
	"numbers that are not plain": `${header}a,01,\nb,+1,\nc,1.0,\nd,1e2,\ne,-0,\nf,,\ng,٣,\n`,
	"other columns first": "status,id,categoryId,name\nsold,x,1,Rex\n",
	"an unknown column": "name,categoryId,colour\nRex,1,red\n",
	"a column twice": "name,categoryId,name\nRex,1,Tom\n",
	"a column that is missing": "name,status\nRex,sold\n",
	"no header": "Rex,1,sold\n",
	"an empty file": "",
	"only a header": header,
	semicolons: "name;categoryId\nRex;1\na,b;2\n",
	tabs: "name\tcategoryId\nRex\t1\n",
	"as many semicolons as commas": "name,categoryId;x\nRex,1\n",
	"column names in capitals and with spaces":
		" NAME ;CategoryID;\u00a0Status\nRex;1;sold\n",
	"a column of versions, which is not used":
		"name,categoryId,version\nRex,1,x\n",
};

/** Read as updates. */
export const updateCases: Readonly<Record<string, string>> = {
	"some columns": "id,status\n1,sold\n2,gone\n3,\n",
	"lines without an id": "id,name,categoryId\n,Rex,1\n,,1\n,Tom,\n,Tim,x\n",
	"lines without an id and too few columns": "id,name\n,Rex\n1,Tom\n",
	"an empty cell in each column":
		"id,name,categoryId,status,version\n1,,,,\n2,a,,,2\n,,,,\n,,1,,\n",
	versions: "id;version\n1;5\n2;\n3;0\n4;x\n5;9223372036854775808\n",
	"a version without an id": "id,version,name,categoryId\n,1,Rex,1\n,,Tom,1\n",
	"ids out of range": `id,name\n0,a\n-1,b\n${2n ** 63n - 1n},c\n${2n ** 63n},d\n1E+15,e\n`,
	"no column of ids": "name,categoryId\nRex,1\n",
	"empty names": 'id,name\n1,""\n2,\n',
};

export const jsonCases: Readonly<Record<string, string>> = {
	"no line end at the end": '{"name":"Rex","categoryId":1}',
	"CRLF and empty lines": '\r\n{"name":"Rex","categoryId":1}\r\n\n',
	"ids out of range": [0, -1, 1.5, 2n ** 63n - 1n, 2n ** 63n]
		.map((id) => `{"id":${id},"name":"Rex","categoryId":1}\n`)
		.join(""),
	"a byte order mark": `${unreadable}{"name":"Rex","categoryId":1}\n`,
	"a member twice": '{"name":"Rex","name":"Tom","categoryId":1}\n',
	"unknown members": '{"name":"Rex","categoryId":1,"colour":["red",{}]}\n',
	"a lone surrogate escape": '{"name":"\\ud800","categoryId":1}\n',
	NUL: '{"name":"\\u0000","categoryId":1}\n',
	"int64 extremes":
		'{"name":"a","categoryId":9223372036854775807}\n{"name":"b","categoryId":-9223372036854775808}\n{"name":"c","categoryId":9223372036854775808}\n',
	"numbers in other forms":
		'{"name":"a","categoryId":1.0}\n{"name":"b","categoryId":1e2}\n{"name":"c","categoryId":1.5}\n{"name":"d","categoryId":01}\n',
	"what is not an object": '[]\n"x"\n1\nnull\ntrue\n{}\n',
	"null members": '{"name":null,"categoryId":null,"status":null}\n',
	"an empty file": "",
	"the member __proto__": '{"__proto__":{"name":"Rex"},"categoryId":1}\n',
};

/** As spreadsheets write them. Bytes that are not UTF-8 stay in UTF-8. */
export const encodings: Readonly<Record<string, (utf8: Buffer) => Buffer>> = {
	utf8: (utf8) => utf8,
	bom: (utf8) => Buffer.concat([Buffer.from(unreadable), utf8]),
	utf16le: (utf8) => toUtf16(utf8) ?? utf8,
	utf16be: (utf8) => toUtf16(utf8)?.swap16() ?? utf8,
};

function toUtf16(utf8: Buffer): Buffer | undefined {
	const text = utf8.toString().replace(/^\uFEFF/, "");
	return isUtf8(utf8) ? Buffer.from(unreadable + text, "utf16le") : undefined;
}

const names = ["Rex", "a,b", 'say "hi"', "two\nlines", "", " x ", "狗", "=1+1"];

export function toGoodFile(format: FileFormat, random: Random): Buffer {
	const pets = Array.from({ length: 6 }, (_, index) =>
		toPet({
			id: BigInt(index + 1),
			name: names[random(names.length)] ?? "",
			categoryId: BigInt(random(1000)) - 500n,
			status: "sold",
		}),
	);
	if (format === "ndjson")
		return Buffer.from(pets.map((pet) => `${petToJson(pet)}\n`).join(""));
	const separator = pick(separators, random);
	const rows = pets.map(({ id, name, categoryId, status }) => [
		...[`${id}`, name, `${categoryId}`, status],
	]);
	const lines = [["id", "name", "categoryId", "status"], ...rows].map(
		(fields) => toCsvLine(fields, separator),
	);
	return Buffer.from(lines.join(""));
}

export function pick<Value>(values: readonly Value[], random: Random): Value {
	const value = values[random(values.length)];
	if (value === undefined) throw new Error("nothing to pick");
	return value;
}

/** Deletes, repeats or replaces bytes, in one to four places. */
export function damage(good: Buffer, random: Random): Buffer {
	let bytes = good;
	for (let left = 1 + random(4); left > 0; left--) {
		const at = random(bytes.length);
		const length = random(4);
		const piece =
			random(10) < 7
				? Buffer.from(pieces[random(pieces.length)] ?? "")
				: Buffer.from([random(256)]);
		bytes = Buffer.concat([
			bytes.subarray(0, at),
			random(10) < 2 ? bytes.subarray(at, at + 20) : piece,
			bytes.subarray(at + length),
		]);
	}
	return bytes;
}

const pieces = [
	'"',
	'""',
	",",
	";",
	"\t",
	"\n",
	"\r",
	"\r\n",
	"\0",
	"{",
	"}",
	"\\",
	"0",
];
