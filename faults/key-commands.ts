// `petstore keys create` and `keys revoke`, killed in the place of one of their calls to the disk: done or not, never by half.
// In odd rounds on the file of a running service, in even ones on a file that is not there yet.
import { type Finished, run } from "../harness/process.ts";
import { buildShim } from "./shim.ts";
import { openShop } from "./shop.ts";
import type { Tally } from "./tally.ts";
import type { Setting } from "./trial.ts";

export async function killKeyCommands(setting: Setting): Promise<Tally> {
	const { folder, rounds, onRound } = setting;
	const { env } = buildShim(folder);
	const shop = await openShop(setting);
	const found: Found = {
		...{ killed: 0, acknowledged: 0, lost: 0, doubled: 0 },
		...{ wrong: [], recoveriesMs: [] },
	};
	for (let round = 1; round <= rounds; round++) {
		const isInUse = round % 2 === 1;
		const path = isInUse ? shop.path : `${folder}/${round}.db`;
		const keys: Keys = (args, callLimit) =>
			run(["--database", `sqlite:${path}`, "keys", ...args], {
				...{ program: setting.program, cwd: folder },
				env:
					callLimit === undefined ? {} : { ...env, ...killWithin(callLimit) },
			});
		const calls = isInUse ? callsToChange : callsToMakeFile;
		const { shown, listed } = await create(keys, `key ${round}`, calls, found);
		if (isInUse && shown !== undefined) await use(shop.url(), shown, found);
		if (listed !== undefined) await revoke(keys, listed, found);
		await goOn(keys, `next ${round}`, found);
		onRound(round);
	}
	await shop.stop();
	if (found.killed === 0) found.wrong.push("no command was killed");
	return { rounds, ...found };
}

interface Found {
	/** Commands that did not come to their end. */
	killed: number;
	acknowledged: number;
	lost: number;
	doubled: number;
	readonly wrong: string[];
	readonly recoveriesMs: number[];
}

/** Runs a command; with a limit, it is killed at one of so many calls. */
type Keys = (args: readonly string[], callLimit?: number) => Promise<Finished>;

function killWithin(callLimit: number): Record<string, string> {
	return { FAULTS_KILL_AT: `${1 + Math.floor(Math.random() * callLimit)}` };
}

/** A little more than they make, so that some commands come through. */
const callsToMakeFile = 48;
const callsToChange = 12;

async function create(
	keys: Keys,
	name: string,
	callLimit: number,
	found: Found,
): Promise<{ shown?: string; listed: ListedKey | undefined }> {
	const { status, stdout } = await keys(["create", "--name", name], callLimit);
	if (status === null) found.killed++;
	const own = (await list(keys, found)).filter((key) => key.name === name);
	const [listed] = own;
	found.doubled += Math.max(0, own.length - 1);
	if (stdout === "") return { listed };
	found.acknowledged++;
	if (listed?.state !== "valid") found.lost++;
	// A planted fault shows two.
	const [shown = ""] = stdout.split("\n");
	return { shown, listed };
}

async function revoke(
	keys: Keys,
	{ id }: ListedKey,
	found: Found,
): Promise<void> {
	const { status, stderr } = await keys(["revoke", `${id}`], callsToChange);
	if (status === null) found.killed++;
	const listed = (await list(keys, found)).find((key) => key.id === id);
	if (listed === undefined) found.wrong.push(`key ${id} is gone`);
	if (!stderr.startsWith("Revoked")) return;
	found.acknowledged++;
	if (listed?.state !== "revoked") found.lost++;
}

interface ListedKey {
	readonly id: number;
	readonly name: string;
	readonly state: string;
}

async function list(keys: Keys, found: Found): Promise<readonly ListedKey[]> {
	const { status, stdout, stderr } = await keys(["list", "--json"]);
	if (status === 0) return JSON.parse(stdout);
	// The command was killed before it had made the file.
	if (!stderr.startsWith("petstore: There is no database"))
		found.wrong.push(`the list after a killed command: ${stderr}`);
	return [];
}

/** Whatever the killed command has left, the next one works. */
async function goOn(keys: Keys, name: string, found: Found): Promise<void> {
	const begun = performance.now();
	const { status, stderr } = await keys(["create", "--name", name]);
	found.recoveriesMs.push(performance.now() - begun);
	if (status !== 0) {
		found.wrong.push(`after a killed command: ${stderr}`);
		return;
	}
	found.acknowledged++;
	const listed = await list(keys, found);
	if (!listed.some((key) => key.name === name)) found.lost++;
}

/** What was shown is accepted by the service. */
async function use(url: string, key: string, found: Found): Promise<void> {
	const headers = { Authorization: `Bearer ${key}` };
	const { status } = await fetch(`${url}/v1/pets`, { headers });
	if (status !== 200) found.wrong.push(`a key was shown and got ${status}`);
}
