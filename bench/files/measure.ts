// Measures imports and exports of files: lines a second and peak memory, each trial in its own process.
import { chmodSync, closeSync, openSync, rmSync, writeSync } from "node:fs";
import type { FileFormat } from "../../src/domain/file-format.ts";
import { toWriter } from "../../src/formats/writer.ts";
import { openStore } from "../../src/store/open.ts";
import { measureCommand } from "../../test/harness/measure-command.ts";
import { execute, startPostgres } from "../../test/harness/postgres/server.ts";
import { root } from "../../test/harness/process.ts";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import { isInstalled } from "../machine/programs.ts";
import { copyTrials, fileTrials, importTo, type Places } from "./trials.ts";

export const filesTitle = "Import and export of files";

export interface FilePlan {
	readonly animals: number;
	readonly rounds: number;
}

export interface FileResult {
	readonly name: string;
	/** Lines a second in each round, with the start of the process. */
	readonly rates: readonly number[];
	/** Peak resident memory of the process; none for a statement of PostgreSQL. */
	readonly peaksMb: readonly number[];
}

export async function measureFiles({
	animals,
	rounds,
}: FilePlan): Promise<readonly FileResult[]> {
	const folder = temporaryFolder();
	// PostgreSQL reads the files as another user.
	chmodSync(folder.path, 0o755);
	const postgres = await startPostgres();
	const file = `${folder.path}/animals`;
	const full = `${folder.path}/full.db`;
	writeAnimals(file, "ndjson", animals);
	writeAnimals(file, "csv", animals);
	const fullUrl = await createDatabase(postgres.url, "all_animals");
	for (const url of [`sqlite:${full}`, fullUrl])
		await runCommand(importTo(url, `${file}.ndjson`));
	const readings: Named[] = [];
	for (let round = 0; round < rounds; round++) {
		const next = async (): Promise<Places> => {
			const number = readings.length;
			const emptyUrl = await createDatabase(postgres.url, `empty_${number}`);
			const own = `${folder.path}/${number}`;
			return { file, full, fullUrl, emptyUrl, empty: `${own}.db`, output: own };
		};
		for (const { name, program, command } of fileTrials) {
			if (program !== undefined && !isInstalled(program)) continue;
			const places = await next();
			readings.push({ name, ...(await runCommand(command(places))) });
			for (const end of [".db", ".ndjson", ".csv"])
				rmSync(`${places.output}${end}`, { force: true });
		}
		for (const { name, toUrl, toText } of copyTrials) {
			const places = await next();
			const begun = performance.now();
			await execute(toUrl(places), toText(places));
			const seconds = (performance.now() - begun) / 1000;
			readings.push({ name, seconds, peakMb: undefined });
		}
	}
	await postgres.remove();
	folder.remove();
	return toResults(readings, animals);
}

interface Named {
	readonly name: string;
	readonly seconds: number;
	readonly peakMb: number | undefined;
}

function toResults(readings: readonly Named[], animals: number): FileResult[] {
	return [...Map.groupBy(readings, ({ name }) => name)].map(([name, own]) => ({
		name,
		rates: own.map(({ seconds }) => animals / seconds),
		peaksMb: own.flatMap(({ peakMb }) =>
			peakMb === undefined ? [] : [peakMb],
		),
	}));
}

function writeAnimals(file: string, format: FileFormat, animals: number): void {
	const { header, toText } = toWriter(format);
	const opened = openSync(`${file}.${format}`, "w", 0o644);
	writeSync(opened, header);
	for (let id = 1; id <= animals; id++)
		writeSync(
			opened,
			toText([
				{
					id: BigInt(id),
					name: `Animal number ${id}`,
					categoryId: BigInt(id % 50),
					status: "available",
				},
			]),
		);
	closeSync(opened);
}

async function createDatabase(server: string, name: string): Promise<string> {
	await execute(server, `CREATE DATABASE ${name}`);
	const url = new URL(server);
	url.pathname = name;
	await (await openStore(url.href, { create: true })).close();
	return url.href;
}

async function runCommand(command: readonly string[]) {
	const { status, stderr, ...figures } = await measureCommand(command, root);
	if (status !== 0) throw new Error(`${command}: ${stderr}`);
	return figures;
}
