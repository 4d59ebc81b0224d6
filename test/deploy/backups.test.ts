// The systemd units and the CronJob for backups: they are well-formed, and their commands work.
import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { openStore } from "../../src/store/store.ts";
import { root, run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const read = (name: string) => readFileSync(`${root}deploy/${name}`, "utf8");
const unit = read("petstore-backup.service");
const cronJob = read("kubernetes-backup.yaml");

test("creates the folder before the systemd service runs, as root, for its user", () => {
	const [, user] = /^User=(.+)$/m.exec(unit) ?? [];
	const [, command = ""] = /^ExecStartPre=\+(.+)$/m.exec(unit) ?? [];
	expect(unit.indexOf("ExecStartPre=")).toBeLessThan(
		unit.indexOf("ExecStart="),
	);
	const folder = temporaryFolder();
	const me = userInfo();
	const other = me.uid === 0 ? "nobody" : me.username;
	const [program = "", ...args] = command.split(" ").map((word) => {
		if (word === user) return other;
		return word.startsWith("/var/") ? folder.path + word : word;
	});
	execFileSync(program, args);
	const made = statSync(`${folder.path}/var/backups/petstore`);
	const uid = execFileSync("id", ["-u", other], { encoding: "utf8" });
	expect([made.uid, made.mode & 0o777]).toEqual([Number(uid), 0o700]);
	folder.remove();
});

test("makes a backup with the command of the systemd service", async () => {
	const [, command = ""] = /^ExecStart=\S+petstore (.+)$/m.exec(unit) ?? [];
	await expectBackup(command.split(" "), "/var/backups/petstore");
});

test("makes a backup with the command of the CronJob", async () => {
	expect(Bun.YAML.parse(cronJob)).toMatchObject({ kind: "CronJob" });
	const [, args = ""] = /args: \[(.+)\]/.exec(cronJob) ?? [];
	await expectBackup(args.replaceAll('"', "").split(", "), "/backups");
});

/** Runs the command with its folders inside a temporary one. */
async function expectBackup(
	args: readonly string[],
	backups: string,
): Promise<void> {
	const folder = temporaryFolder();
	const database = `sqlite:${folder.path}/var/lib/petstore/petstore.db`;
	await (await openStore(database, { access: "create" })).close();
	mkdirSync(folder.path + backups, { recursive: true });
	const moved = args.map((arg) =>
		arg.replace(/^(sqlite:)?(\/(var|backups).*)$/, `$1${folder.path}$2`),
	);
	const env = { PETSTORE_DATABASE: database };
	const { status, stdout } = await run(moved, { cwd: folder.path, env });
	expect([status, stdout]).toEqual([0, expect.stringMatching(/^backup {2}/)]);
	expect(readdirSync(folder.path + backups)).toHaveLength(1);
	folder.remove();
}
