// The CronJob for backups: it is well-formed, and its command works.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { openStore } from "../../src/store/store.ts";
import { root, run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const cronJob = readFileSync(`${root}deploy/kubernetes-backup.yaml`, "utf8");

test("makes a backup with the command of the CronJob", async () => {
	expect(Bun.YAML.parse(cronJob)).toMatchObject({ kind: "CronJob" });
	const [, args = ""] = /args: \[(.+)\]/.exec(cronJob) ?? [];
	using folder = temporaryFolder();
	const database = `sqlite:${folder.path}/petstore.db`;
	await (await openStore(database, { access: "create" })).close();
	const backups = `${folder.path}/backups`;
	mkdirSync(backups);
	const moved = args.replaceAll('"', "").replace("/backups", backups);
	const env = { PETSTORE_DATABASE: database };
	const { status, stdout } = await run(moved.split(", "), {
		cwd: folder.path,
		env,
	});
	expect([status, stdout]).toEqual([0, expect.stringContaining(backups)]);
	expect(readdirSync(backups)).toHaveLength(1);
});
