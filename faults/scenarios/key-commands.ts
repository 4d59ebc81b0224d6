// `petstore keys create` and `keys revoke` are killed at a random write or sync. Each must be done completely or not at all.
// Odd rounds use the file of a running service, even rounds a file that does not exist yet.
import { type Finished, run } from "../../test/harness/process.ts";
import { buildShim } from "../disk/shim.ts";
import type { ScenarioOptions } from "../injection/inject.ts";
import type { ScenarioResult } from "../injection/result.ts";
import { openService } from "../target/restartable.ts";

export async function killKeyCommands(
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	const { folder, rounds, onRound } = options;
	const { env } = buildShim(folder);
	const service = await openService(options);
	const counts: Counts = {
		killed: 0,
		acknowledged: 0,
		lost: 0,
		doubled: 0,
		wrong: [],
		recoveriesMs: [],
	};
	for (let round = 1; round <= rounds; round++) {
		const isInUse = round % 2 === 1;
		const path = isInUse ? service.path : `${folder}/${round}.db`;
		const runKeys: RunKeys = (args, maxCalls) =>
			run(["keys", ...args, "--database", `sqlite:${path}`], {
				program: options.program,
				cwd: folder,
				env:
					maxCalls === undefined
						? {}
						: { ...env, ...killAtRandomCall(maxCalls) },
			});
		const name = `key ${round}`;
		const maxCalls = isInUse ? callsToChange : callsToCreateFile;
		const { shown, listed } = await create(runKeys, name, maxCalls, counts);
		if (isInUse && shown !== undefined)
			await useKey(service.url(), shown, counts);
		if (listed !== undefined) await revoke(runKeys, listed, counts);
		await createNext(runKeys, `next ${round}`, counts);
		onRound(round);
	}
	await service.stop();
	if (counts.killed === 0) counts.wrong.push("no command was killed");
	return { rounds, ...counts };
}

interface Counts {
	/** Commands that were killed before their end. */
	killed: number;
	acknowledged: number;
	lost: number;
	doubled: number;
	readonly wrong: string[];
	readonly recoveriesMs: number[];
}

/** Runs `petstore keys`. With `maxCalls`, the command is killed at a random one of its first writes and syncs. */
type RunKeys = (
	args: readonly string[],
	maxCalls?: number,
) => Promise<Finished>;

function killAtRandomCall(maxCalls: number): Record<string, string> {
	return { FAULTS_KILL_AT: `${1 + Math.floor(Math.random() * maxCalls)}` };
}

/** A few more calls than the commands make, so that some finish. */
const callsToCreateFile = 48;
const callsToChange = 12;

async function create(
	runKeys: RunKeys,
	name: string,
	maxCalls: number,
	counts: Counts,
): Promise<{ shown?: string; listed: ListedKey | undefined }> {
	const { status, stdout } = await runKeys(
		["create", "--name", name],
		maxCalls,
	);
	if (status === null) counts.killed++;
	const sameName = (await list(runKeys, counts)).filter(
		(key) => key.name === name,
	);
	const [listed] = sameName;
	counts.doubled += Math.max(0, sameName.length - 1);
	if (stdout === "") return { listed };
	counts.acknowledged++;
	if (listed === undefined) counts.lost++;
	const [shown = ""] = stdout.split("\n");
	return { shown, listed };
}

async function revoke(
	runKeys: RunKeys,
	{ id }: ListedKey,
	counts: Counts,
): Promise<void> {
	const { status, stderr } = await runKeys(["revoke", `${id}`], callsToChange);
	if (status === null) counts.killed++;
	const listed = (await list(runKeys, counts)).find((key) => key.id === id);
	if (listed === undefined)
		counts.wrong.push(`key ${id} is missing after a revoke`);
	if (!stderr.startsWith("Done")) return;
	counts.acknowledged++;
	if (listed?.revokedAt === undefined) counts.lost++;
}

interface ListedKey {
	readonly id: number;
	readonly name: string;
	readonly revokedAt?: string;
}

async function list(
	runKeys: RunKeys,
	counts: Counts,
): Promise<readonly ListedKey[]> {
	const { status, stdout, stderr } = await runKeys(["list", "--json"]);
	if (status === 0) return JSON.parse(stdout).keys;
	// The command was killed before it created the file or its tables.
	if (!/^petstore: (No database|.* holds no pet store)/.test(stderr))
		counts.wrong.push(`keys list failed after a killed command: ${stderr}`);
	return [];
}

/** The command after a killed one must work. */
async function createNext(
	runKeys: RunKeys,
	name: string,
	counts: Counts,
): Promise<void> {
	const begun = performance.now();
	const { status, stderr } = await runKeys(["create", "--name", name]);
	counts.recoveriesMs.push(performance.now() - begun);
	if (status !== 0) {
		counts.wrong.push(`keys create failed after a killed command: ${stderr}`);
		return;
	}
	counts.acknowledged++;
	const listed = await list(runKeys, counts);
	if (!listed.some((key) => key.name === name)) counts.lost++;
}

/** The service must accept a printed key. */
async function useKey(url: string, key: string, counts: Counts): Promise<void> {
	const headers = { Authorization: `Bearer ${key}` };
	const { status } = await fetch(`${url}/v1/pets`, { headers });
	if (status !== 200)
		counts.wrong.push(`a request with a key that was shown got ${status}`);
}
