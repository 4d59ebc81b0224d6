// HAProxy accepts its configuration, which deploy/compose.postgres.yaml uses.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { root, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const text = readFileSync(`${root}deploy/haproxy.cfg`, "utf8");
const haproxy = Bun.which("haproxy", { PATH: `${process.env.PATH}:/usr/sbin` });
if (haproxy === null)
	console.warn(
		"not run: HAProxy reads deploy/haproxy.cfg (it is not installed)",
	);

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
