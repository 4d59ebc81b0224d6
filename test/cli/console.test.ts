// `petstore console`, and the link to the console that the first start prints.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { waitFor } from "../harness/process.ts";
import { usePlace } from "./place.ts";

const place = usePlace();

const linkIn = /(http:\/\/127\.0\.0\.1:\d+)\/console#link=([\w-]{43})/;

/** Signs in as the page does it, and returns the status and the cookie. */
async function signIn([, url = "", link = ""]: readonly string[]) {
	const { status, headers } = await fetch(`${url}/operator/v1/sessions`, {
		method: "POST",
		body: JSON.stringify({ link }),
		headers: { Origin: url },
	});
	const [Cookie = ""] = headers.get("Set-Cookie")?.split(";") ?? [];
	return { status, Cookie };
}

/** A running service, and the command for it. */
async function openConsole() {
	const service = await place.serve();
	const port = ["--port", new URL(service.url).port];
	const command = (...args: string[]) =>
		place.run(["console", ...port, ...args]);
	const makeLink = async (...args: string[]) =>
		linkIn.exec((await command(...args)).stdout) ?? [];
	return { ...service, command, makeLink };
}

test("prints a link that signs in to the running service once, as the person of --as", async () => {
	const { url, command, stop } = await openConsole();
	const { status, stdout, stderr } = await command("--as", "Ada Lovelace");
	expect([status, stderr]).toEqual([0, expect.stringContaining("10 minutes")]);
	const link = linkIn.exec(stdout) ?? [];
	expect([link[1], stdout]).toEqual([url, `${link[0]}\n`]);
	const { Cookie, ...first } = await signIn(link);
	expect([first.status, (await signIn(link)).status]).toEqual([204, 401]);
	const current = `${url}/operator/v1/sessions/current`;
	const session = await fetch(current, { headers: { Cookie } });
	expect(await session.json()).toMatchObject({ name: "Ada Lovelace" });
	const output = await stop();
	expect(output.stdout + output.stderr).not.toContain(link[2]);
});

test("--end-sessions ends sessions and links within a second, and the service goes on", async () => {
	const { url, command, makeLink } = await openConsole();
	const { Cookie } = await signIn(await makeLink());
	const ask = async () =>
		(await fetch(`${url}/operator/v1/keys`, { headers: { Cookie } })).status;
	const unused = await makeLink();
	expect((await command("--end-sessions", "--as", "Ada")).status).toBe(2);
	expect(await ask()).toBe(200);
	expect(await command("--end-sessions")).toMatchObject({
		status: 0,
		stdout: "",
	});
	await Bun.sleep(600);
	expect(await ask()).toBe(401);
	expect((await signIn(unused)).status).toBe(401);
	expect((await signIn(await makeLink())).status).toBe(204);
});

test("prints a link for the address in --url or PETSTORE_BASE_URL, and for a service with TLS", async () => {
	await place.run("keys create --name x");
	const url = "https://pets.example";
	for (const [command, env, start] of [
		[`console --url ${url}/`, {}, url],
		["console", { PETSTORE_BASE_URL: url }, url],
		["console --port 9 --tls-cert own.crt", {}, "https://127.0.0.1:9"],
	] as const) {
		const { status, stdout } = await place.run(command, env);
		expect(status).toBe(0);
		expect(stdout).toStartWith(`${start}/console#link=`);
	}
});

test("is not printed at the first start without a terminal, only the address of the console", async () => {
	const service = await place.serve(
		"--database sqlite:another-shop.db --operator-address 127.0.0.1:0",
	);
	const [, address = ""] = await service.printed(/The console is at (\S+),/);
	expect((await fetch(address)).status).toBe(200);
	expect((await service.stop()).stdout).not.toContain("#link=");
});

test("is printed at the first start on a terminal, and works, within 80 columns", async () => {
	const terminal = place.terminal("serve --port 0");
	const link = await terminal.until(linkIn);
	expect(link[0].length).toBeLessThanOrEqual(80);
	expect((await signIn(link)).status).toBe(204);
});

test("opens the link on a terminal with a screen, and only prints it on one without", async () => {
	const { url } = await place.serve();
	const opened = place.path("opened");
	writeFileSync(place.path("xdg-open"), `#!/bin/sh\ntouch "${opened}"\n`);
	chmodSync(place.path("xdg-open"), 0o755);
	const PATH = `${place.path()}:${process.env.PATH}`;
	for (const DISPLAY of ["", ":0"]) {
		const env = { PATH, DISPLAY, WAYLAND_DISPLAY: "" };
		const command = `console --port ${new URL(url).port}`;
		const terminal = place.terminal(command, env);
		await terminal.until(linkIn);
		expect((await terminal.finished())[0]).toBe(0);
		if (DISPLAY) await waitFor(() => existsSync(opened));
		else await Bun.sleep(300);
		expect(existsSync(opened)).toBe(DISPLAY !== "");
	}
});
