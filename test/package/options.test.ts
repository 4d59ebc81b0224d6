// The options of `openPetstore` as JavaScript gives them.
import { describe, expect, test } from "bun:test";
import { openPetstore } from "../../src/package/bun.ts";

const database = "sqlite::memory:";

describe("Package", () => {
	test.each([
		[null, "options must be an object."],
		[{ databse: database }, "Unknown option databse; did you mean database?"],
		[
			{ database, port: 1 },
			"Unknown option port; the known ones are database, opening, address, apiKey, rateLimit, document, log, sandbox, backups, backupEveryMs, backupKeep.",
		],
		[
			{ database, address: { prot: 1 } },
			"Unknown option prot; the known ones are host, port.",
		],
		[{ database, address: 80 }, "address must be an object."],
		[{ database, log: null }, "log must be an object."],
		[
			{ database, sandbox: { pets: 1, seeds: 1 } },
			"Unknown option seeds; did you mean seed?",
		],
	])("refuses the options %j", async (options, message) => {
		// The compiler accepts what JSON.parse returns.
		const opened = openPetstore(JSON.parse(JSON.stringify(options)));
		await expect(opened).rejects.toThrow(new TypeError(message));
	});

	test("takes options that are undefined", async () => {
		const { stop } = await openPetstore({
			database,
			apiKey: undefined,
			rateLimit: undefined,
			log: { requests: undefined },
		});
		await stop();
	});
});
