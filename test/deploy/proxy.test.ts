// The example configurations of proxies. HAProxy is the one of deploy/compose.postgres.yaml.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { backupAnswerMs, maxImportBytes } from "../../src/limits.ts";
import { root, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const text = readFileSync(`${root}deploy/haproxy.cfg`, "utf8");
const haproxy = Bun.which("haproxy", { PATH: `${process.env.PATH}:/usr/sbin` });
if (haproxy === null)
	console.warn(
		"not run: HAProxy reads deploy/haproxy.cfg (it is not installed)",
	);

test("sends requests to the copies of the Compose file", () => {
	const compose = readFileSync(`${root}deploy/compose.postgres.yaml`, "utf8");
	const copies = [...compose.matchAll(/^ {2}([\w-]+): \*petstore$/gm)];
	const servers = [...text.matchAll(/^ {2}server \w ([\w-]+):8080$/gm)];
	expect(servers.map(([, name]) => name)).toEqual(
		copies.map(([, name]) => name),
	);
});

test("waits in HAProxy as long as a backup takes", () => {
	const [, seconds, path] =
		/set-timeout server (\d+)s if \{ path (\S+) \}/.exec(text) ?? [];
	expect(path).toBe("/operator/v1/backups");
	expect(Number(seconds) * 1_000).toBeGreaterThan(backupAnswerMs);
});

test("lets nginx pass on the longest import, and one that the service refuses", () => {
	const nginx = readFileSync(`${root}deploy/nginx.conf`, "utf8");
	const megabytes = /client_max_body_size (\d+)m;/.exec(nginx)?.[1];
	expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(maxImportBytes);
});

test.skipIf(haproxy === null)("is accepted by HAProxy", async () => {
	const folder = temporaryFolder();
	const file = `${folder.path}/haproxy.cfg`;
	// Only the network of Compose knows the names of the copies.
	writeFileSync(file, text.replace("init-addr libc,none", "init-addr none"));
	const check = start([haproxy ?? "", "-c", "-f", file], { cwd: folder.path });
	const { status, stderr } = await check.finished;
	expect([status, stderr.match(/ALERT|ERROR/)]).toEqual([0, null]);
	folder.remove();
});
