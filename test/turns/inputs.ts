// Hostile inputs as data: what a caller with each kind of key may send to make everybody wait. turns.slow.test.ts sends them.

export const keyKinds = ["none", "read", "read-write", "operator"] as const;

export interface Input {
	readonly by: (typeof keyKinds)[number];
	/** The method and the path. `{edit}` is the newest edit of an input before. */
	readonly request: string;
	/** Of the reply, so that an input does what it is for. */
	readonly status: number;
	/** Made when it is sent, since some are large. */
	readonly body?: (() => string) | undefined;
	readonly headers?: Readonly<Record<string, string>>;
	/** Requests at the same time. */
	readonly atOnce?: number;
}

/** A name of the longest: marks in the order that takes longest to sort. */
const marks = `a${"\u0301\u0327".repeat(127)}`;
const encoded = encodeURIComponent(marks);
export const longName = "\u0001".repeat(255);
export const slowName = "a".repeat(255);
/** Nearly in `slowName`, at each of its letters. */
const nearly = `${"a".repeat(127)}b`;

const pet = (name: string, more = "") =>
	`{"name":${JSON.stringify(name)},"categoryId":1${more}}`;
const lines = (count: number, toLine: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => `${toLine(index)}\n`).join("");
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const csv = (rows: () => string, columns = "name,categoryId\n") => {
	return () => columns + rows();
};

const add = "POST /v1/pets";
const operator = "/operator/v1";
const batch = `POST ${operator}/pets/batch`;
const ndjsonFile = `POST ${operator}/pets/import?format=ndjson`;
const csvFile = `POST ${operator}/pets/import?format=csv`;

/** One line each. */
const byKey: Readonly<
	Record<
		Input["by"],
		Readonly<
			Record<
				string,
				readonly [
					request: string,
					status: number,
					body?: Input["body"],
					more?: Pick<Input, "headers" | "atOnce">,
				]
			>
		>
	>
> = {
	none: {
		"pages and documents": ["GET /docs", 200, undefined, { atOnce: 50 }],
		"an OpenAPI document": [
			"GET /operator/openapi.json",
			200,
			undefined,
			{ atOnce: 50 },
		],
		"lists without a key": ["GET /v1/pets", 401, undefined, { atOnce: 500 }],
		"a long key": [
			"GET /v1/pets",
			401,
			undefined,
			{ headers: { Authorization: `Bearer ${"x".repeat(15_000)}` } },
		],
		"a sign-in of brackets": [
			`POST ${operator}/sessions`,
			400,
			() => nested(30_000),
			{ atOnce: 50, headers: { "Sec-Fetch-Site": "same-origin" } },
		],
		"a file": [csvFile, 401, () => "x".repeat(60_000_000)],
	},
	read: {
		"long lists": ["GET /v1/pets?limit=100", 200, undefined, { atOnce: 50 }],
		"an ETag of many": [
			"GET /v1/pets",
			200,
			undefined,
			{ headers: { "If-None-Match": '"x", '.repeat(2_000) } },
		],
		"a long id": [`GET /v1/pets/${"9".repeat(12_000)}`, 404],
		"many parameters": [`GET /v1/pets?${"limit=1&".repeat(1_500)}`, 400],
		"the feed": [
			`GET ${operator}/changes?limit=1000`,
			200,
			undefined,
			{ atOnce: 16 },
		],
	},
	"read-write": {
		"names of marks": [add, 201, () => pet(marks), { atOnce: 200 }],
		"a name of 60,000 marks": [
			add,
			400,
			() => pet("\u0301\u0327".repeat(12_000)),
			{ atOnce: 20 },
		],
		brackets: [add, 400, () => nested(32_000), { atOnce: 50 }],
		"a number of 60,000 digits": [
			add,
			400,
			() => pet("a", `,"more":[${"9".repeat(60_000)}]`).replace("1", "1.5"),
			{ atOnce: 50 },
		],
		"many members": [
			add,
			201,
			() =>
				pet(
					"a",
					`,"more":{${[...Array(5_000).keys()].map((key) => `"${key}":1.5`)}}`,
				),
			{ atOnce: 20 },
		],
	},
	operator: {
		"searches of a part that nearly occurs": [
			`GET ${operator}/pets?name=${nearly}`,
			200,
			undefined,
			{ atOnce: 16 },
		],
		"a search of marks": [`GET ${operator}/pets?name=${encoded}`, 200],
		"a count of what nearly occurs": [
			`GET ${operator}/pets/count?name=${nearly}`,
			200,
		],
		"a count of what often occurs": [`GET ${operator}/pets/count?name=a`, 200],
		"the count": [`GET ${operator}/pets/count`, 200],
		"the status": [`GET ${operator}/status`, 200],
		"the history of marks": [
			`GET ${operator}/history?name=${encoded}`,
			200,
			undefined,
			{ atOnce: 4 },
		],
		"the history of an author": [
			`GET ${operator}/history?by=${"x".repeat(10_000)}`,
			200,
			undefined,
			{ atOnce: 4 },
		],
		categories: [
			`GET ${operator}/categories?limit=1000`,
			200,
			undefined,
			{ atOnce: 16 },
		],
		"a category": [
			`POST ${operator}/categories`,
			201,
			() => `{"name":"${marks.slice(0, 100)}"}`,
		],
		"new categories at once": [
			`POST ${operator}/categories`,
			201,
			() => `{"name":"${crypto.randomUUID()}"}`,
			{ atOnce: 16 },
		],
		"an export": [`GET ${operator}/pets/export`, 200],
		"an export for Excel": [
			`GET ${operator}/pets/export?format=csv&excel=true`,
			200,
		],
		"an export of what nearly occurs": [
			`GET ${operator}/pets/export?name=${nearly}`,
			200,
			undefined,
			{ atOnce: 2 },
		],
		"a backup": [`POST ${operator}/backups`, 201],
		"a batch of brackets": [batch, 400, () => nested(500_000)],
		"a batch by a long name": [
			batch,
			400,
			() => `{"filter":{"name":"${"x".repeat(1_000_000)}"},"expected":0}`,
		],
		"a batch of 1,000 long names": [
			batch,
			200,
			() =>
				`{"changes":[${Array.from({ length: 1_000 }, (_, at) => `{"petId":${at + 1},"set":{"name":"${"b".repeat(255)}"}}`)}]}`,
		],
		"a batch by a filter that expects another number": [
			batch,
			412,
			() => '{"filter":{"status":"sold"},"expected":0,"remove":true}',
		],
		"a batch by a name that nearly occurs": [
			batch,
			200,
			() => `{"filter":{"name":"${nearly}"},"expected":0,"remove":true}`,
		],
		"a batch of 100,000": [
			batch,
			200,
			() =>
				'{"filter":{"status":"sold"},"expected":100000,"set":{"categoryId":-1}}',
		],
		"its undo": [`POST ${operator}/edits/{edit}/undo`, 200],
		"a batch of 100,000 that changes nothing": [
			batch,
			200,
			() =>
				'{"filter":{"status":"sold"},"expected":100000,"set":{"status":"sold"}}',
		],
		"empty lines": [ndjsonFile, 413, () => "\n".repeat(20_000_000)],
		"empty lines of CSV": [csvFile, 413, csv(() => "\n".repeat(20_000_000))],
		"lines of brackets": [
			ndjsonFile,
			422,
			() => lines(300, () => nested(30_000)),
		],
		"a line of 60 MB": [ndjsonFile, 422, () => "[".repeat(60_000_000)],
		"lines of members and digits": [
			ndjsonFile,
			422,
			() =>
				lines(300, () =>
					pet("a", `,"more":[${"12345678901234567,".repeat(3_000)}1]`).replace(
						'"categoryId":1,',
						"",
					),
				),
		],
		"lines without an animal": [
			`${ndjsonFile}&dryRun=true`,
			422,
			() => lines(100_000, () => "[]"),
		],
		"names of marks in JSON": [
			ndjsonFile,
			200,
			() => lines(20_000, () => pet(marks)),
		],
		"names of marks": [
			csvFile,
			200,
			csv(() => lines(20_000, () => `${marks},1`)),
		],
		"100,000 animals": [
			csvFile,
			200,
			csv(() => lines(100_000, (at) => `Rex ${at},${at}`)),
		],
		"100,000 long names": [
			ndjsonFile,
			200,
			() => lines(100_000, () => pet(slowName)),
		],
		"updates that change nothing": [
			`${csvFile}&mode=update`,
			200,
			csv(
				() =>
					lines(100_000, (at) => `${at + 100_000},available`).replaceAll(
						/(.*),available/g,
						"$1,",
					),
				"id,status\n",
			),
		],
		"updates of animals that are missing": [
			`${csvFile}&mode=update`,
			422,
			csv(
				() => lines(100_000, (at) => `${at + 10_000_000},sold`),
				"id,status\n",
			),
		],
		"cells of 60,000 digits": [
			csvFile,
			422,
			csv(() => lines(300, () => `a,${"9".repeat(60_000)}`), "name,category\n"),
		],
		"30,000 columns": [
			`${csvFile}&ignoreUnknown=true`,
			422,
			csv(
				() => lines(300, () => `a,1${",".repeat(30_000)}`),
				`name,categoryId${",x".repeat(30_000)}\n`,
			),
		],
		"lines of 1,000 columns": [
			`${csvFile}&ignoreUnknown=true`,
			200,
			csv(
				() => lines(20_000, () => `a,1${",".repeat(998)}`),
				`name,categoryId${",x".repeat(998)}\n`,
			),
		],
		"long columns that are ignored": [
			`${csvFile}&ignoreUnknown=true`,
			200,
			csv(
				() => lines(100_000, (at) => `Rex of ${at},1,${"\u017e".repeat(300)}`),
				"name,categoryId,x\n",
			),
		],
		"lines of separators": [
			csvFile,
			422,
			csv(() => lines(800, () => ",".repeat(60_000))),
		],
		"open quotes": [
			csvFile,
			422,
			csv(() => lines(300, () => `"${'""'.repeat(25_000)}x`)),
		],
		"quotes that no line closes": [
			csvFile,
			422,
			csv(() => lines(90_000, (at) => `"a${at},1`)),
		],
		"bytes that are no text": [
			csvFile,
			422,
			csv(() => lines(50_000, () => `${"\ud800".repeat(200)},1x`)),
		],
		"100,000 unknown categories": [
			csvFile,
			422,
			csv(
				() => lines(100_000, (at) => `a,${marks.slice(0, 90)}${at}`),
				"name,category\n",
			),
		],
		"10,000 unknown categories on 100,000 lines": [
			csvFile,
			422,
			csv(
				() => lines(100_000, (at) => `a,${marks.slice(0, 90)}${at % 10_000}`),
				"name,category\n",
			),
		],
		"2,000 new categories": [
			`${csvFile}&createCategories=true`,
			200,
			csv(() => lines(2_000, (at) => `a,new ${at}`), "name,category\n"),
		],
	},
};

export const inputs: Readonly<Record<string, Input>> = Object.fromEntries(
	keyKinds.flatMap((by) =>
		Object.entries(byKey[by]).map(
			([name, [request, status, body, more]]): [string, Input] => [
				`${by}: ${name}`,
				{ by, request, status, body, ...more },
			],
		),
	),
);
