// A trial of a tool: a folder with our OpenAPI document in both versions and the client programs, and a service with one animal.
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { installedNode } from "../bench/peers/install.ts";
import { freePort } from "../harness/free-port.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import {
	type Finished,
	type Running,
	root,
	run,
	serve,
	start,
} from "../harness/process.ts";
import { temporaryDatabase, temporaryFolder } from "../harness/temporary.ts";
import { packagesFolder } from "./versions.ts";

export interface Trial {
	/** Runs a command of the document with the addresses of this trial. */
	readonly run: (command: string) => Promise<Finished>;
	readonly start: (command: string) => Running;
	/** The address of the service, with /v1. */
	readonly url: string;
	/** Where a proxy should listen. */
	readonly proxyUrl: string;
	/** Calls the service, or a proxy in front of it, and returns the text of the reply. */
	readonly call: (url: string, body?: string) => Promise<Reply>;
}

export interface Reply {
	readonly status: number;
	readonly text: string;
}

/** An int64 of 19 digits, which a JavaScript number cannot represent. */
export const largeInteger = "1152921504606846977";

/** With a sandbox, or with a service on a database and an operator key. */
export async function withTrial<Result>(
	work: (trial: Trial) => Promise<Result>,
	engine?: "sqlite" | "postgres",
): Promise<Result> {
	const folder = temporaryFolder();
	const { service, key, remove } =
		engine === undefined
			? await openSandbox(folder.path)
			: await openCatalogue(folder.path, engine);
	try {
		await fill(folder.path, service.url, key);
		const trial = toTrial(folder.path, service.url, key, await freePort());
		await trial.call(`${trial.url}/pets`, toNewPet(largeInteger));
		return await work(trial);
	} finally {
		service.kill("SIGTERM");
		await service.finished;
		await remove();
		folder.remove();
	}
}

async function openSandbox(cwd: string) {
	const service = await serve(["--pets", "0"], { cwd }, "sandbox");
	return { service, key: "sandbox", remove() {} };
}

/** The key has number 2, so that a tool may revoke number 1. */
async function openCatalogue(cwd: string, engine: "sqlite" | "postgres") {
	const { url, remove } =
		engine === "sqlite" ? temporaryDatabase() : await createDatabase();
	const database = ["--database", url];
	await run(["keys", "create", "--name", "spare", ...database], { cwd });
	const named = ["keys", "create", "--name", "tool", "--scope", "operator"];
	const { stdout } = await run([...named, ...database], { cwd });
	const service = await serve(database, { cwd });
	return { service, key: stdout.trim(), remove };
}

export function toNewPet(categoryId: string): string {
	return `{"name":"Rex","categoryId":${categoryId}}`;
}

function toTrial(
	cwd: string,
	serviceUrl: string,
	key: string,
	proxyPort: number,
): Trial {
	const url = `${serviceUrl}/v1`;
	const env = {
		PETSTORE_URL: url,
		KEY: key,
		PET_ID: "1",
		CATEGORY_ID: largeInteger,
		PATH: [
			`${packagesFolder}/node_modules/.bin`,
			dirname(installedNode(packagesFolder)),
			dirname(process.execPath),
			process.env.PATH,
		].join(delimiter),
	};
	const startHere = (command: string) => {
		const adapted = command
			.replaceAll("http://127.0.0.1:8080", serviceUrl)
			.replaceAll("4010", String(proxyPort));
		return start(["sh", "-c", adapted], { cwd, env });
	};
	return {
		url,
		proxyUrl: `http://127.0.0.1:${proxyPort}`,
		start: startHere,
		run: (command) => startHere(command).finished,
		async call(address, body) {
			const response = await fetch(address, {
				headers: {
					Authorization: `Bearer ${key}`,
					"Content-Type": "application/json",
				},
				...(body !== undefined && { method: "POST", body }),
			});
			return { status: response.status, text: await response.text() };
		},
	};
}

async function fill(
	folder: string,
	baseUrl: string,
	key: string,
): Promise<void> {
	cpSync(`${root}generators/clients`, folder, { recursive: true });
	symlinkSync(`${packagesFolder}/node_modules`, `${folder}/node_modules`);
	writeFileSync(`${folder}/.env`, `PORTMAN_BEARER_TOKEN=${key}\n`);
	for (const [file, flags] of [
		["openapi.json", ""],
		["openapi-3.0.json", "--openapi 3.0"],
		["operator-openapi.json", "--interface operator"],
	] as const) {
		const command = `openapi --base-url ${baseUrl} ${flags}`.trim();
		const { stdout } = await run(command.split(" "), { cwd: folder });
		writeFileSync(`${folder}/${file}`, stdout);
	}
}
