// The image of the Dockerfile, without a Docker daemon: what it contains, and how the service runs in a container.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lstatSync, readdirSync } from "node:fs";
import { lastReplyMs } from "../../src/http/server.ts";
import {
	containerSkipReason,
	makeData,
	runContainer,
	startContainer,
} from "../harness/container.ts";
import { freePort } from "../harness/free-port.ts";
import { buildImage, type Image } from "../harness/image.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const apiKey = "a-key-for-the-tests-of-the-image";
let image: Image;
let folder: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
	image = await buildImage();
	folder = temporaryFolder();
}, 600_000);
afterAll(() => {
	folder.remove();
	image.remove();
}, 60_000);

describe("the image", () => {
	test("contains only the executable, its libraries and licences, and a user", () => {
		const files = readdirSync(image.folder, { recursive: true })
			.map(String)
			.filter((path) => lstatSync(`${image.folder}/${path}`).isFile());
		const expected =
			/^(usr\/local\/(bin\/petstore|share\/petstore\/licenses\.txt)|lib(64)?\/([\w-]+\/)?(ld-linux|lib(c|m|dl|pthread))[\w.-]*\.so[.\d]*|etc\/(passwd|group))$/;
		expect(files.filter((path) => !expected.test(path))).toEqual([]);
		expect(files).toContain("usr/local/bin/petstore");
		expect(files).toContain("usr/local/share/petstore/licenses.txt");
	});
	test("lets only that user use /data, and everybody /tmp", () => {
		const { uid, mode } = lstatSync(`${image.folder}/data`);
		expect(uid).toBe(process.getuid?.() || 10001);
		expect(mode & 0o7777).toBe(0o700);
		expect(lstatSync(`${image.folder}/tmp`).mode & 0o7777).toBe(0o1777);
	});
});

const skipReason = containerSkipReason();
if (skipReason !== undefined)
	console.warn(`not run: containers of the image (${skipReason.trim()})`);

describe.skipIf(skipReason !== undefined)("a container", () => {
	test("starts with PETSTORE_API_KEY as the user of the image without privileges, is healthy, stops at SIGTERM, and keeps its animals", async () => {
		const data = makeData(`${folder.path}/restarted`, image);
		const first = await serveContainer(data);
		expect((await runHere(data, first, "health")).status).toBe(0);
		const added = await call(first, { name: "Rex", categoryId: 1 });
		expect(added.status).toBe(201);
		const pet = await added.text();
		const status = first.readStatus();
		expect(status).toMatch(/^CapEff:\s0+$/m);
		expect(status).toMatch(/^NoNewPrivs:\s1$/m);
		// Outside, it is the user who runs the tests, unless that is root.
		const uid = process.getuid?.() || 10001;
		expect(status).toMatch(new RegExp(`^Uid:\\s${uid}\\s`, "m"));
		await expectStop(first);
		const stopped = await runHere(data, first, "health");
		expect([stopped.status, stopped.stderr]).toEqual([
			1,
			expect.stringContaining("does not answer"),
		]);

		const second = await serveContainer(data);
		expect(await (await call(second)).text()).toBe(`[${pet}]`);
		await expectStop(second);
	}, 60_000);

	test("prints a first key without PETSTORE_API_KEY, runs other commands beside the service, and writes only in /data and /tmp", async () => {
		const data = makeData(`${folder.path}/first-key`, image);
		const service = await serveContainer(data, { PETSTORE_API_KEY: "" });
		const [, key = ""] = await service.printed(/^ {2}(pet_\w+)$/m);
		expect((await call(service, undefined, key)).status).toBe(200);
		const made = await runHere(data, service, "keys", "create", "--name", "b");
		expect((await call(service, undefined, made.stdout.trim())).status).toBe(
			200,
		);
		const link = await runHere(data, service, "console");
		expect([link.status, link.stdout]).toEqual([
			0,
			expect.stringContaining("/console#"),
		]);
		const inside = await runHere(data, service, "backup", "/data/backup.db");
		expect(inside.status).toBe(0);
		const outside = await runHere(data, service, "backup", "/backup.db");
		expect([outside.status, outside.stderr]).toEqual([
			1,
			expect.stringMatching(/read-only|EROFS/i),
		]);
		await expectStop(service);
	}, 60_000);
});

type Serving = Awaited<ReturnType<typeof serveContainer>>;

/** Uses the command and the variables of the image, but a free port, because containers share the network here. */
async function serveContainer(
	data: string,
	variables: Record<string, string> = {},
) {
	const port = String(await freePort());
	const env = {
		PETSTORE_PORT: port,
		PETSTORE_API_KEY: apiKey,
		...variables,
	};
	const container = startContainer(image, { data, env });
	await container.printed(/"msg":"listening"|^ {2}Address /m);
	return { ...container, env, url: `http://127.0.0.1:${port}/v1/pets` };
}

/** Runs a petstore command as `docker exec` does, with the variables of the service. */
function runHere(data: string, { env }: Serving, ...args: readonly string[]) {
	return runContainer(image, { data, env, args });
}

/** Adds an animal, or lists without one. */
function call(
	{ url }: Serving,
	newPet?: Record<string, unknown>,
	key = apiKey,
): Promise<Response> {
	return fetch(url, {
		headers: {
			Authorization: `Bearer ${key}`,
			"Content-Type": "application/json",
		},
		...(newPet && { method: "POST", body: JSON.stringify(newPet) }),
	});
}

async function expectStop(service: Serving): Promise<void> {
	const begun = performance.now();
	service.signal("SIGTERM");
	expect((await service.finished).status).toBe(0);
	expect(performance.now() - begun).toBeLessThan(lastReplyMs);
}
