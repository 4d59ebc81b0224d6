// What a caller without a key gets does not say where the program, its database and its user's files are.
import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { root, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

/** Pages, documents, probes, errors. */
const paths = [
	...["/", "/docs", "/docs/operator", "/console", "/sandbox"],
	...["/openapi.json", "/operator/openapi.json", "/openapi.json?version=9"],
	...["/sandbox/faults", "/healthz", "/readyz", "/metrics", "/nothing"],
	...["/v1/pets", "/v1/pets/1", "/operator/v1/pets", "/operator/v1/status"],
	...["/operator/v1/sessions/current", "/assets/nothing.js", "/favicon.ico"],
];

test.each(["serve", "sandbox"] as const)(
	"no reply of %s to a request without a key names a folder of the machine",
	async (command) => {
		using folder = temporaryFolder();
		const home = `${folder.path}/home-of-somebody`;
		const file = `${folder.path}/catalogue.db`;
		const service = await serve(
			command === "serve" ? ["--database", `sqlite:${file}`] : [],
			{ cwd: folder.path, env: { HOME: home } },
			command,
		);
		const secrets = [root.slice(0, -1), folder.path, home, "catalogue.db"];
		/** Requests all paths, and the files that their pages load. */
		const expectNone = async (requested: readonly string[]) => {
			for (const path of requested)
				for (const accept of ["text/html", "application/json"]) {
					// A browser on the machine itself sees the command that signs in, with the database.
					const isShown = command === "serve" && path === "/console";
					const { host } = new URL(isShown ? "http://pets" : service.url);
					const reply = await fetch(service.url + path, {
						headers: { Accept: accept, Host: host },
					});
					const text = await reply.text();
					const said = text + JSON.stringify([...reply.headers]);
					const found = secrets.filter((secret) => said.includes(secret));
					expect([path, found]).toEqual([path, []]);
					const assets = text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g);
					await expectNone([...assets].map(([, asset]) => `/${asset}`));
				}
		};
		await expectNone(paths);
		if (command === "serve") {
			renameSync(file, `${file}.away`);
			const { status } = await fetch(`${service.url}/readyz`);
			expect(status).toBe(503);
			await expectNone(paths);
		}
		service.kill("SIGKILL");
		await service.finished;
	},
	60_000,
);
