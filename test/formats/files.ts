// Files with animals for tests: what public collections of CSV and JSON tests try, and files that are damaged at random.
import { isUtf8 } from "node:buffer";
import type { Random } from "../http/random.ts";

/**
 * A file, and what it has: for each line its number and "bad", or the name, the category and the status unless it is `available`. A line of
 * an update has the id first and the version last, and nothing for what is absent.
 */
type Cases = Readonly<Record<string, readonly [file: string, told: string]>>;

const mark = "\u{FEFF}";

/** After the header. */
export const csvRows: Cases = {
	"an empty name": [",1,sold\n", '2 ""|1|sold'],
	"a quoted quote": ['"say ""hi""",1,\n', '2 say "hi"|1'],
	"a quoted comma": ['"Rex, the dog",1,sold\n', "2 Rex, the dog|1|sold"],
	"quoted line ends": [
		'"a\nb\r\nc",1,sold\nTom,2,\n',
		"2 a\nb\r\nc|1|sold; 5 Tom|2",
	],
	"a CR inside a field": ["Re\rx,1,sold\nTom,1,\n", "2 bad; 3 Tom|1"],
	"a CR at the end of the file": ["Rex,1,sold\r", "2 bad"],
	"a space after a quote": ['"Rex" ,1,sold\nTom,1,\n', "2 bad; 3 Tom|1"],
	"an empty field in quotes as a line": ['""\nRex,1,\n', "2 bad; 3 Rex|1"],
	"no line end at the end": ["Rex,1,sold", "2 Rex|1|sold"],
	"a byte order mark in a name": ["\uFEFFRex,1,sold\n", "2 \uFEFFRex|1|sold"],
	"ragged rows": [
		"Rex\nTom,1\nTim,1,sold,x\nok,1,\n",
		"2 bad; 3 bad; 4 bad; 5 ok|1",
	],
	"NUL in a name": ["R\0ex,1,sold\nTom,1,\n", "2 bad; 3 Tom|1"],
	"a quote in a plain field": ['R"ex,1,sold\nTom,1,\n', "2 bad; 3 Tom|1"],
	"text after a closing quote": ['"Rex"x,1,sold\nTom,1,\n', "2 bad; 3 Tom|1"],
	"an open quote": ['Tom,1,\n"Rex,1,sold\nTim,2,\n', "2 Tom|1; 3 bad; 4 Tim|2"],
	"an open quote that a later line closes": [
		'"Rex,1,sold\n"Tim",2,\nTom,3,\n',
		"2 bad; 3 Tim|2; 4 Tom|3",
	],
	"spaces, which belong to the field": [
		" Rex ,1,sold\nTom, 1,\n",
		"2  Rex |1|sold; 3 bad",
	],
	"int64 extremes": [
		"a,9223372036854775807,\nb,-9223372036854775808,\nc,9223372036854775808,\n",
		"2 a|9223372036854775807; 3 b|-9223372036854775808; 4 bad",
	],
	"numbers of any length": [
		`a,${"9".repeat(60_000)},\nb,${"0".repeat(21)},\nc,-${"1".repeat(39)},\n`,
		"2 bad; 3 bad; 4 bad",
	],
	"numbers that are not plain": [
		"a,01,\nb,+1,\nc,1.0,\nd,1e2,\ne,-0,\nf,,\ng,٣,\n",
		"2 bad; 3 bad; 4 bad; 5 bad; 6 bad; 7 bad; 8 bad",
	],
};

export const csvFiles: Cases = {
	CRLF: ["name,categoryId\r\nRex,1\r\nTom,2\r\n", "2 Rex|1; 3 Tom|2"],
	"CR only": ["name,categoryId\rRex,1\rTom,2\r", "refused at 1"],
	"empty lines": [
		"\nname,categoryId,status\n\n\r\nRex,1,sold\n\n",
		"5 Rex|1|sold",
	],
	"other columns first": [
		"status,id,categoryId,name\nsold,x,1,Rex\n",
		"2 Rex|1|sold",
	],
	"an unknown column": ["name,categoryId,colour\nRex,1,red\n", "refused at 1"],
	"a column twice": ["name,categoryId,name\nRex,1,Tom\n", "refused at 1"],
	"a column that is missing": ["name,status\nRex,sold\n", "refused at 1"],
	"no header": ["Rex,1,sold\n", "refused at 1"],
	"an empty file": ["", "refused at 1"],
	"a line sep=": ["sep=;\r\nname;categoryId\r\na,b,c;1\r\n", "3 a,b,c|1"],
	tabs: ["name\tcategoryId\nRex\t1\n", "2 Rex|1"],
	"as many semicolons as commas": [
		"name,categoryId;x\nRex,1\n",
		"refused at 1",
	],
	"column names in capitals and with spaces": [
		" NAME ;CategoryID;\u00a0Status\nRex;1;sold\n",
		"2 Rex|1|sold",
	],
	"a column of versions, which is not used": [
		"name,categoryId,version\nRex,1,x\n",
		"2 Rex|1",
	],
};

/** CSV files that are read as updates. */
export const updates: Cases = {
	"some columns": ["id,status\n1,sold\n2,gone\n3,\n", "2 1|||sold; 3 bad; 4 3"],
	"lines without an id": [
		"id,name,categoryId\n,Rex,1\n,,1\n,Tom,\n,Tim,x\n",
		'2 |Rex|1; 3 |""|1; 4 bad; 5 bad',
	],
	"lines without an id and too few columns": [
		"id,name\n,Rex\n1,Tom\n",
		"2 bad; 3 1|Tom",
	],
	"an empty cell in each column": [
		"id,name,categoryId,status,version\n1,,,,\n2,a,,,2\n,,,,\n,,1,,\n",
		'2 1; 3 2|a|||2; 4 bad; 5 |""|1',
	],
	versions: [
		"id;version\n1;5\n2;\n3;0\n4;x\n5;9223372036854775808\n",
		"2 1||||5; 3 2; 4 bad; 5 bad; 6 bad",
	],
	"a version without an id": [
		"id,version,name,categoryId\n,1,Rex,1\n,,Tom,1\n",
		"2 |Rex|1||1; 3 |Tom|1",
	],
	"ids out of range": [
		`id,name\n0,a\n-1,b\n${2n ** 63n - 1n},c\n${2n ** 63n},d\n1E+15,e\n`,
		"2 bad; 3 bad; 4 9223372036854775807|c; 5 bad; 6 bad",
	],
	"no column of ids": ["name,categoryId\nRex,1\n", "refused at 1"],
	"empty names": ['id,name\n1,""\n2,\n', "2 1; 3 2"],
};

export const jsonFiles: Cases = {
	"ids, which an add ignores": [
		'{"id":0,"name":"Rex","categoryId":1}\n{"id":1.5,"name":"Tom","categoryId":2}',
		"1 Rex|1; 2 Tom|2",
	],
	"unknown members": [
		'{"name":"Rex","categoryId":1,"colour":["red",{}]}\n',
		"1 Rex|1",
	],
	"int64 extremes": [
		'{"name":"a","categoryId":9223372036854775807}\n{"name":"b","categoryId":-9223372036854775808}\n{"name":"c","categoryId":9223372036854775808}\n',
		"1 a|9223372036854775807; 2 b|-9223372036854775808; 3 bad",
	],
	"numbers in other forms": [
		'{"name":"a","categoryId":1.0}\n{"name":"b","categoryId":1e2}\n{"name":"c","categoryId":1.5}\n{"name":"d","categoryId":01}\n',
		"1 a|1; 2 b|100; 3 bad; 4 bad",
	],
	"values nested 100 and 101 levels deep": [
		[99, 100]
			.map((deep) => `${"[".repeat(deep)}${"]".repeat(deep)}`)
			.map((more) => `{"name":"a","categoryId":1,"more":${more}}\n`)
			.join(""),
		"1 a|1; 2 bad",
	],
	"an object that cannot be text": [
		'{"name":{"toString":1},"categoryId":1}\n',
		"1 bad",
	],
	"what is not an object": [
		'[]\n"x"\n1\nnull\ntrue\n{}\n',
		"1 bad; 2 bad; 3 bad; 4 bad; 5 bad; 6 bad",
	],
	"an empty file": ["", ""],
};

/** As spreadsheets write them. Bytes that are not UTF-8 stay in UTF-8. */
export const encodings: Readonly<Record<string, (utf8: Buffer) => Buffer>> = {
	utf8: (utf8) => utf8,
	bom: (utf8) => Buffer.concat([Buffer.from(mark), utf8]),
	utf16le: (utf8) => toUtf16(utf8) ?? utf8,
	utf16be: (utf8) => toUtf16(utf8)?.swap16() ?? utf8,
};

function toUtf16(utf8: Buffer): Buffer | undefined {
	const text = utf8.toString().replace(/^\uFEFF/, "");
	return isUtf8(utf8) ? Buffer.from(mark + text, "utf16le") : undefined;
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
