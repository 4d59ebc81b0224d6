// The image of the Dockerfile: what it contains, and whether its commands run with its variables, as its user.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { lastReplyMs } from "../../src/http/server.ts";
import { freePort } from "../harness/free-port.ts";
import { buildImage, type Image } from "../harness/image.ts";
import { succeed } from "../harness/package.ts";

const apiKey = "a-key-for-the-tests-of-the-image";
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("not run: rights of the image's user (needs root)");
let image: Image;
beforeAll(async () => {
	image = await buildImage();
}, 600_000);
afterAll(() => image.remove(), 60_000);

test("contains only the executable, its libraries and licences, and a user", async () => {
	const files = readdirSync(image.folder, { recursive: true })
		.map(String)
		.filter((path) => lstatSync(`${image.folder}/${path}`).isFile());
	const expected =
		/^(usr\/local\/(bin\/petstore|share\/petstore\/licenses\.txt)|lib(64)?\/([\w-]+\/)?(ld-linux|lib(c|m|dl|pthread))[\w.-]*\.so[.\d]*|etc\/(passwd|group))$/;
	expect(files.filter((path) => !expected.test(path))).toEqual([]);
	expect(files).toContain("usr/local/share/petstore/licenses.txt");
	const program = image.inside(image.entrypoint[0] ?? "");
	const libraries = (await succeed(["ldd", program], "/")).match(/\/\S+/g);
	expect(libraries?.length).toBeGreaterThan(1);
	for (const library of libraries ?? [])
		expect([library, existsSync(image.folder + library)]).toEqual([
			...[library, true],
		]);
});

test("gives /data to its user, and /tmp to everybody", () => {
	const { uid, mode } = lstatSync(image.inside("/data"));
	expect(uid).toBe(process.getuid?.() || 10001);
	expect(mode & 0o7777).toBe(0o700);
	expect(lstatSync(image.inside("/tmp")).mode & 0o7777).toBe(0o1777);
});

test.skipIf(!isRoot)("lets its user write only there", async () => {
	const user = "--reuid=10001 --regid=10001 --clear-groups".split(" ");
	const find = ["find", image.folder, "-writable", "-not", "-type", "l"];
	const printed = await succeed(["setpriv", ...user, ...find], "/");
	const found = printed.trim().split("\n");
	const expected = ["/data", "/tmp"].map(image.inside);
	expect(found.sort()).toEqual(expected);
});

test("starts, prints a first key, runs other commands beside the service, is healthy, and stops", async () => {
	const service = await startService({});
	const [, key = ""] = await service.printed(/^ {2}(pet_\w+)$/m);
	expect((await service.call(undefined, key)).status).toBe(200);
	const made = await service.run("keys", "create", "--name", "b");
	expect((await service.call(undefined, made.stdout.trim())).status).toBe(200);
	const link = await service.run("console");
	expect(link.stdout).toContain("/console#");
	const saved = await service.run("backup", image.inside("/data/backup.db"));
	expect(saved.status).toBe(0);
	expect((await service.health()).status).toBe(0);
	await service.stop();
	const stopped = await service.health();
	expect([stopped.status, stopped.stderr]).toEqual([
		1,
		expect.stringContaining("does not answer"),
	]);
}, 60_000);

test("starts with PETSTORE_API_KEY, and keeps its animals", async () => {
	const env = { PETSTORE_API_KEY: apiKey };
	const first = await startService(env);
	const added = await first.call({ name: "Rex", categoryId: 1 });
	expect(added.status).toBe(201);
	const pet = await added.text();
	await first.stop();
	const second = await startService(env);
	expect(await (await second.call()).text()).toBe(`[${pet}]`);
	await second.stop();
}, 60_000);

/** On a free port, since it has the network of the machine. */
async function startService(variables: Readonly<Record<string, string>>) {
	const PETSTORE_PORT = String(await freePort());
	const env = { ...variables, PETSTORE_PORT };
	const running = image.startInside(image.command, env);
	await running.printed(/"msg":"listening"|^ {2}Address /m);
	const runHere = (command: readonly string[]) =>
		image.startInside(command, env).finished;
	return {
		...running,
		run: (...args: readonly string[]) =>
			runHere([...image.entrypoint, ...args]),
		health: () => runHere(image.health),
		/** Adds an animal, or lists without one. */
		call: (pet?: object, key = apiKey) =>
			fetch(`http://127.0.0.1:${PETSTORE_PORT}/v1/pets`, {
				headers: { Authorization: `Bearer ${key}` },
				...(pet && { method: "POST", body: JSON.stringify(pet) }),
			}),
		async stop(): Promise<void> {
			const begun = performance.now();
			process.kill(running.pid, image.stopSignal);
			expect((await running.finished).status).toBe(0);
			expect(performance.now() - begun).toBeLessThan(lastReplyMs);
		},
	};
}
