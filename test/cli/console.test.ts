// `petstore console`, and the link to the console that the first start prints.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { freePort } from "../harness/free-port.ts";
import { petstore, run, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

const linkIn = /(http:\/\/127\.0\.0\.1:\d+)\/console#link=([\w-]{43})/;

/** The status of signing in with the link. */
async function signIn(url: string, link: string): Promise<number> {
	return (await signInReply(url, link)).status;
}

/** Signs in as the page does it. */
function signInReply(url: string, link: string): Promise<Response> {
	return fetch(`${url}/operator/v1/sessions`, {
		method: "POST",
		body: JSON.stringify({ link }),
		headers: { Origin: url },
	});
}

describe("Links to the console", () => {
	test("console prints a link that signs in to the running service once", async () => {
		const service = await serve([], { cwd: folder.path });
		const { port } = new URL(service.url);
		const { status, stdout, stderr } = await run(["console", "--port", port], {
			cwd: folder.path,
			// A proxy cannot reach this machine.
			env: { HTTP_PROXY: "http://127.0.0.1:9" },
		});
		expect([status, stderr]).toEqual([
			0,
			"The link signs in once, within 10 minutes.\n",
		]);
		const [, url = "", link = ""] = linkIn.exec(stdout) ?? [];
		expect([url, stdout]).toEqual([
			service.url,
			`${url}/console#link=${link}\n`,
		]);
		expect(await signIn(url, link)).toBe(204);
		expect(await signIn(url, link)).toBe(401);
		service.kill("SIGTERM");
		const output = await service.finished;
		expect(output.stdout + output.stderr).not.toContain(link);
	});

	test("console --as names the person whom the link signs in", async () => {
		const service = await serve([], { cwd: folder.path });
		const { port } = new URL(service.url);
		const { stdout } = await run(
			["console", "--port", port, "--as", "Ada Lovelace"],
			{ cwd: folder.path },
		);
		const reply = await signInReply(
			service.url,
			linkIn.exec(stdout)?.[2] ?? "",
		);
		const [Cookie = ""] = reply.headers.getSetCookie();
		const current = `${service.url}/operator/v1/sessions/current`;
		const session = await fetch(current, { headers: { Cookie } });
		expect(await session.json()).toMatchObject({ name: "Ada Lovelace" });
		service.kill("SIGTERM");
		await service.finished;
		const refused = await run(["console", "--as", ""], { cwd: folder.path });
		expect(refused).toMatchObject({ status: 2, stdout: "" });
	});

	test("console --end-sessions ends sessions and links within a second, and the service goes on", async () => {
		const service = await serve([], { cwd: folder.path });
		const { port } = new URL(service.url);
		const options = { cwd: folder.path };
		const makeLink = async () => {
			const { stdout } = await run(["console", "--port", port], options);
			return linkIn.exec(stdout)?.[2] ?? "";
		};
		const used = await signInReply(service.url, await makeLink());
		const [Cookie = ""] = used.headers.get("Set-Cookie")?.split(";") ?? [];
		const ask = () =>
			fetch(`${service.url}/operator/v1/keys`, { headers: { Cookie } });
		const unused = await makeLink();
		expect((await ask()).status).toBe(200);
		const ofOne = ["console", "--end-sessions", "--as", "Ada"];
		expect((await run(ofOne, options)).status).toBe(2);
		expect((await ask()).status).toBe(200);
		expect(await run(["console", "--end-sessions"], options)).toMatchObject({
			status: 0,
			stdout: "",
			stderr: expect.stringContaining("All console sessions end"),
		});
		await Bun.sleep(600);
		expect((await ask()).status).toBe(401);
		expect(await signIn(service.url, unused)).toBe(401);
		expect(await signIn(service.url, await makeLink())).toBe(204);
		service.kill("SIGTERM");
		await service.finished;
	});

	test("console prints a link for the address in --url or PETSTORE_BASE_URL, and for a service with TLS", async () => {
		await run(["keys", "create", "--name", "x"], { cwd: folder.path });
		for (const [args, env] of [
			[["--url", "https://pets.example/"], {}],
			[[], { PETSTORE_BASE_URL: "https://pets.example" }],
		] as const) {
			const options = { cwd: folder.path, env };
			const { stdout } = await run(["console", ...args], options);
			expect(stdout).toStartWith("https://pets.example/console#link=");
		}
		const tls = ["console", "--port", "9", "--tls-cert", "own.crt"];
		const { stdout } = await run(tls, { cwd: folder.path });
		expect(stdout).toStartWith("https://127.0.0.1:9/console#link=");
	});

	test("console says whether nothing or something else answers at the address", async () => {
		await run(["keys", "create", "--name", "x"], { cwd: folder.path });
		const other = Bun.serve({
			port: await freePort(),
			fetch: () => new Response("Hello"),
		});
		const port = String(other.port);
		const consoleOf = async () =>
			(
				await run(["console", "--port", port], {
					cwd: folder.path,
				})
			).stderr;
		const rest = `at http://127.0.0.1:${port}; start the service there, or give --port, --operator-address, --tls-cert or --url.\n`;
		expect(await consoleOf()).toEndWith(`No console answers ${rest}`);
		await other.stop(true);
		expect(await consoleOf()).toEndWith(`Nothing answers ${rest}`);
	});

	test.each([
		["sqlite:none.db", 1, "No database at none.db; check the path."],
		["sqlite::memory:", 2, "An in-memory database belongs to its process"],
	])("console refuses %s", async (database, status, message) => {
		expect(
			await run(["console", "--database", database], { cwd: folder.path }),
		).toMatchObject({
			status,
			stdout: "",
			stderr: expect.stringContaining(message),
		});
	});

	test("prints no link at the first start without a terminal, only the command that makes one", async () => {
		const options = { cwd: folder.path };
		const { output, kill, finished } = await serve(
			[
				...["--database", "sqlite:another-shop.db"],
				...["--operator-address", "127.0.0.1:0"],
			],
			options,
		);
		const [, words = ""] = await waitFor(
			() =>
				/"petstore (console .*)" makes a link/.exec(output().stdout) ??
				undefined,
			() => output().stdout,
		);
		const made = await run([...words.split(" "), "--no-open"], options);
		const [, url = "", link = ""] = linkIn.exec(`\n${made.stdout}\r\n`) ?? [];
		expect(await signIn(url, link)).toBe(204);
		kill("SIGTERM");
		expect((await finished).stdout).not.toContain("#link=");
	});

	test("prints a working link at the first start on a terminal, within 80 columns", async () => {
		let shown = "";
		const service = Bun.spawn([petstore, "serve", "--port", "0"], {
			cwd: folder.path,
			env: { PATH: process.env.PATH },
			terminal: {
				cols: 80,
				rows: 50,
				data(_terminal, bytes) {
					shown += new TextDecoder().decode(bytes);
				},
			},
		});
		const [line, url = "", link = ""] = await waitFor(
			() => linkIn.exec(shown) ?? undefined,
			() => shown,
		);
		expect(shown).toContain(`\n${line}\r\n`);
		expect(line.length).toBeLessThanOrEqual(80);
		expect(shown).toContain("Open the console, within 10 minutes:");
		expect(shown).toMatch(
			/Later, "\S.* console --url \S+" makes another link\./s,
		);
		expect(shown).toMatch(/curl -H "Authorization: Bearer pet_\w{38}"/);
		expect(await signIn(url, link)).toBe(204);
		service.kill("SIGTERM");
		await service.exited;
		service.terminal?.close();
	});
});
