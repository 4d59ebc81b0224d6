// Backups that a service makes by itself: where, and nothing half done when it is killed. test/store has when one is due.
import { expect, test } from "bun:test";
import {
	existsSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { readBackupName } from "../../src/backups/folder.ts";
import { taskWord } from "../../src/program.ts";
import { toDemoPets } from "../../src/sandbox/demo-animals.ts";
import { openStore } from "../../src/store/store.ts";
import { petstore, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { answeredMs } from "../service.ts";
import { executeOn } from "../store/engines.ts";
import { usePlace } from "./place.ts";

const place = usePlace();
const namesIn = (folder: string) =>
	existsSync(folder) ? readdirSync(folder) : [];

test("are made beside a SQLite file unless the newest is fresh or --backup-every is 0, and need a folder for another database", async () => {
	const backups = place.path("data/backups");
	const none = await place.serve("--backup-every 0");
	await none.stop();
	expect(existsSync(backups)).toBe(false);
	await place.run("backup");
	const idle = await place.serve();
	await Bun.sleep(2_500);
	await idle.stop();
	expect(namesIn(backups)).toHaveLength(1);
	rmSync(backups, { recursive: true });
	const service = await place.serve();
	const isMade = () => namesIn(backups).some((name) => /\.db$/.test(name));
	await waitFor(isMade, "no backup was made");
	await service.stop();
	const refused = "serve --backup-every 24h --database sqlite::memory:";
	expect(await place.run(refused)).toMatchObject({ status: 2 });
	writeFileSync(place.path("file"), "");
	const unusable = "serve --backups file";
	expect(await place.run(unusable)).toMatchObject({ status: 1 });
}, 20_000);

// A file system that no program serves: whoever looks into it waits for ever. Only the service sees it, and it ends with the service.
const besideHanging = `mkdir hanging && exec 3<>/dev/fuse &&
	mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 none hanging && exec`;

test.skipIf(!canHang())(
	"a folder that hangs delays the status by a second, and neither other requests nor the stop",
	async () => {
		writeFileSync(
			place.path("petstore"),
			`#!/bin/sh\nexec unshare -Urm sh -c '${besideHanging} ${petstore} "$@"' sh "$@"`,
			{ mode: 0o700 },
		);
		const service = await serve(["--backups", "hanging"], {
			cwd: place.path(),
			program: place.path("petstore"),
		});
		const made = await place.run("keys create --name x --scope operator");
		const headers = { Authorization: `Bearer ${made.stdout.trim()}` };
		const call = async (path: string) => {
			const begun = performance.now();
			const signal = AbortSignal.timeout(answeredMs);
			const { status } = await fetch(service.url + path, { headers, signal });
			return [path, status, performance.now() - begun < 900];
		};
		// The first backup is due, and hangs too.
		const hasBegun = () => findMakers().length > 0;
		await waitFor(hasBegun, "no backup was begun");
		// The URL of the database may have a password.
		for (const pid of findMakers())
			expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain(
				"PETSTORE_DATABASE",
			);
		const paths = ["/operator/v1/status", "/metrics", "/operator/v1/backups"];
		const looking = Promise.all(paths.map(call));
		expect(await call("/healthz")).toEqual(["/healthz", 200, true]);
		expect(await call("/v1/pets")).toEqual(["/v1/pets", 200, true]);
		expect((await looking).map(([, status]) => status)).toEqual([
			...[200, 200, 503],
		]);
		service.kill("SIGTERM");
		const begun = performance.now();
		expect((await service.finished).status).toBe(0);
		expect(performance.now() - begun).toBeLessThan(1_900);
	},
	20_000,
);

function canHang(): boolean {
	const folder = temporaryFolder();
	const command = ["unshare", "-Urm", "sh", "-c", `${besideHanging} true`];
	try {
		return Bun.spawnSync(command, { cwd: folder.path }).success;
	} catch {
		return false;
	} finally {
		folder.remove();
	}
}

test("leaves only complete backups under their names, and no process, when services are killed during a backup", async () => {
	const url = `sqlite:${place.path("shop.db")}`;
	const backups = place.path("made");
	const open = () =>
		place.serve(`--database ${url} --backups ${backups} --backup-every 1h`);
	const execute = (change: string) =>
		executeOn("sqlite", url, () => [`UPDATE catalogue SET ${change}`]);
	const isNamed = (name: string) => readBackupName(name) !== undefined;
	const noMaker = () =>
		waitFor(
			() => findMakers().length === 0,
			"a process that makes a backup is left",
			// Other programs may keep the processor busy.
			30_000,
		);
	/** The names of the backups, which must all be complete. */
	const requireComplete = async () => {
		const names = namesIn(backups).filter(isNamed);
		for (const name of names) {
			const backup = await openStore(`sqlite:${backups}/${name}`, {
				access: "read",
			});
			const complete = { findings: [], animals: 3_000 };
			expect(await backup.check()).toMatchObject(complete);
			await backup.close();
		}
		return names;
	};
	const store = await openStore(url, { access: "create" });
	await store.archive.fill(toDemoPets(3_000, 1));
	await store.close();
	for (const killed of ["all services", "one service", "its process"]) {
		await execute("backed_up_at = NULL, backup_tried_at = NULL");
		rmSync(backups, { recursive: true, force: true });
		const [one, other] = await Promise.all([open(), open()]);
		await Bun.sleep(Math.random() * 500);
		if (killed === "its process") findMakers().forEach(kill);
		one.kill("SIGKILL");
		other.kill(killed === "all services" ? "SIGKILL" : "SIGTERM");
		await Promise.all([one.finished, other.finished]);
		await noMaker();
		expect((await requireComplete()).length).toBeLessThanOrEqual(1);
	}
	// As if the pause after a killed backup had ended.
	await execute("backup_tried_at = NULL");
	const service = await open();
	await waitFor(
		() => namesIn(backups).some(isNamed),
		() => `no backup was made: ${service.output().stderr}`,
		30_000,
	);
	await service.stop();
	await noMaker();
	expect(await requireComplete()).toHaveLength(1);
}, 120_000);

function kill(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {}
}

/** The processes that make a backup for a service of this test. */
function findMakers(): number[] {
	const folder = realpathSync(place.path());
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
				const isTask = words.at(-2) === taskWord;
				return isTask && readlinkSync(`/proc/${pid}/cwd`) === folder;
			} catch {
				return false;
			}
		})
		.map(Number);
}
