// Runs the snippets of all operations in one language, in one process. Everything that their examples name exists. Each snippet that
// changes something has its own service, so that snippets do not affect each other.
import { expect } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateToken } from "../../src/domain/token.ts";
import { operator } from "../../src/operator/interface.ts";
import { v1 } from "../../src/v1/interface.ts";
import { toChapter } from "../../src/web/reference/chapter.ts";
import { toFilled } from "../../src/web/reference/try-it.ts";
import {
	type Filled,
	type Language,
	type SnippetRequest,
	toLanguages,
	toSnippetRequest,
} from "../../src/web/snippets.ts";
import { makeKey } from "../harness/key.ts";
import { start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { openService, type Service } from "../service.ts";

/** All operations that the reference shows. */
export const operations = [v1, operator].flatMap(
	(described) => toChapter({ described, path: "", page: "docs" }).operations,
);

export const largeInteger = "9007199254740993";
export const awkwardName = 'O\'Neil "x" \\ `y` $HOME é 😀 12345678901234567890';

/** How the programs of a language are run. */
export interface Program {
	/** The file of the snippet with this name. */
	readonly toFile: (name: string) => string;
	readonly toCode?: (code: string, name: string) => string;
	/** Writes a program that runs the snippets in their order and prints `== NAME` before each. Returns its command. */
	readonly write: (
		folder: string,
		names: readonly string[],
	) => readonly [string, ...string[]];
}

interface Run {
	/** An operation, or an operation and a variant. */
	readonly name: string;
	readonly output: string;
	readonly service: Service;
	readonly folder: string;
}

/** Runs the snippets, and checks their output and their effect. */
export async function expectWorking(
	language: Language,
	program: Program,
): Promise<void> {
	const folder = temporaryFolder();
	const prepared = (await prepareAll(folder.path)).filter(({ request }) =>
		toLanguages(request.reply).includes(language),
	);
	const names = prepared.map(({ name }) => name);
	for (const { name, request } of prepared) {
		const code = language.write(request);
		const text = program.toCode?.(code, name) ?? code;
		writeFileSync(join(folder.path, program.toFile(name)), `${text}\n`);
	}
	const command = program.write(folder.path, names);
	const { stdout, stderr } = await start(command, {
		cwd: folder.path,
		env: { KEY: caller.key, COOKIE: `petstore=${session.token}` },
	}).finished;
	const outputs = new Map(
		stdout
			.split(/^== /m)
			.map((text) => [text.slice(0, text.indexOf("\n")), text] as const),
	);
	const runs = prepared.map(({ name, service }) => ({
		name,
		service,
		folder: folder.path,
		output: outputs.get(name) ?? `not run: ${stderr}`,
	}));
	for (const run of runs) await expectDone(run);
	const services = new Set(prepared.map(({ service }) => service));
	for (const service of services) await service.close();
	folder.remove();
}

const backupName = "petstore-3f9a01c2-20270131T081500Z.db";
const backupBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);

async function expectDone(run: Run): Promise<void> {
	const { name, output } = run;
	const shown = [name, output];
	// curl prints the body of an error too.
	const { prints = /\n./, does, isRefused = false } = expected[name] ?? {};
	if (!isRefused)
		expect([...shown, /\bcode"?:/.test(output)]).toEqual([...shown, false]);
	expect([...shown, prints.test(output)]).toEqual([...shown, true]);
	expect([...shown, (await does?.(run)) ?? true]).toEqual([...shown, true]);
}

interface Expected {
	readonly prints?: RegExp;
	readonly does?: (run: Run) => Promise<boolean>;
	/** Refused, because the service has its database in memory. */
	readonly isRefused?: true;
}

const large = { prints: new RegExp(largeInteger) };
const secret = { prints: /pet_\w{38}/ };
/** Other operations may print anything except an error. */
const expected: Readonly<Record<string, Expected>> = {
	listPets: large,
	createPet: { prints: /Rex/ },
	createPetAwkward: {
		async does({ service }) {
			const [added] = await (await service.call("/v1/pets?limit=1")).json();
			return added.name === awkwardName;
		},
		...large,
	},
	getPetAwkward: large,
	findPetsAwkward: { prints: /"pets":\[\]/ },
	getPet: large,
	getPetWithKey: large,
	findPets: large,
	readPet: large,
	changePet: { prints: /sold/ },
	removePet: {
		prints: /204/,
		does: async ({ service }) =>
			(await service.call("/v1/pets/1")).status === 404,
	},
	changePets: { prints: /"removed":1/ },
	listCategories: { prints: /Cats/ },
	setCategory: { prints: /Dogs/ },
	removeCategory: {
		prints: /204/,
		does: async ({ service }) =>
			(await service.store.categories.list()).length === 0,
	},
	exportPets: large,
	listHistory: { prints: /removed/ },
	listPetHistory: { prints: /added/ },
	restorePet: { prints: /Rex/ },
	listChanges: { prints: /added/ },
	listKeys: { prints: /caller/ },
	createKey: secret,
	changeKey: { prints: /Rome/ },
	revokeKey: {
		prints: /204/,
		async does({ service }) {
			const [first] = await service.store.keys.list();
			return first?.revokedAt !== undefined;
		},
	},
	signIn: { prints: /204/ },
	readSession: { prints: /caller/ },
	signOut: {
		prints: /204/,
		does: async ({ service }) => !(await isSignedIn(service, session.token)),
	},
	readStatus: { prints: /sqlite/ },
	importPets: { prints: /"added":1/ },
	createBackup: { prints: /makes no backups|409|Conflict/, isRefused: true },
	listBackups: { prints: new RegExp(backupName) },
	downloadBackup: {
		prints: /\n/,
		does: async ({ folder }) =>
			readFileSync(join(folder, backupName)).equals(backupBytes),
	},
};

async function isSignedIn(service: Service, token: string): Promise<boolean> {
	const reply = await service.call("/operator/v1/sessions/current", {
		authorization: null,
		headers: { Cookie: `petstore=${token}` },
	});
	return (await reply.json()).signedIn;
}

const caller = makeKey({ scope: "operator", name: "caller" });
const session = generateToken();

interface Prepared {
	readonly name: string;
	readonly request: SnippetRequest;
	readonly service: Service;
}

/** One run of every operation, and further ones with a key in the snippet or with awkward values. */
async function prepareAll(folder: string): Promise<readonly Prepared[]> {
	const backups = join(folder, "backups");
	mkdirSync(backups);
	writeFileSync(join(backups, backupName), backupBytes);
	const variants = operations.flatMap(({ id }) => [
		{ id, name: id, key: undefined, changes: id === "signIn" ? ownKey : {} },
		...(id === "getPet"
			? [{ id, name: `${id}WithKey`, key: caller.key, changes: {} }]
			: []),
		...(id in awkward
			? [{ id, name: `${id}Awkward`, key: undefined, changes: awkward[id] }]
			: []),
	]);
	const shared = await prepare(backups);
	const prepared: Prepared[] = [];
	// One after the other, because databases that are created at once slow each other down.
	for (const { id, name, key, changes } of variants) {
		const isRead = toRequest(id, "", key).method === "GET";
		const service = isRead ? shared : await prepare(backups);
		const request = toRequest(id, service.url, key, changes);
		prepared.push({ name, request, service });
	}
	return prepared;
}

const ownKey = { bodyText: JSON.stringify({ key: caller.key }) };

/** Values that a reader may type. */
const awkward: Readonly<Record<string, Partial<Filled>>> = {
	createPet: {
		bodyText: `{\n  "name": ${JSON.stringify(awkwardName)},\n  "categoryId": ${largeInteger}\n}`,
	},
	getPet: {
		values: [
			{ place: "path", name: "petId", value: "1" },
			{ place: "header", name: "If-None-Match", value: `'"$HOME\\` },
		],
	},
	findPets: {
		values: [{ place: "query", name: "name", value: `${awkwardName} & + %` }],
	},
};

/** Has the animals 1 and 2, a removed one, a named category, key 1, a session and a backup. */
async function prepare(backups: string): Promise<Service> {
	const service = await openService("over a socket", {
		databaseUrl: "sqlite::memory:",
		sandbox: { pets: 0, seed: 1 },
		backups,
	});
	const { store } = service;
	const status = "available";
	const rex = {
		name: "Rex",
		categoryId: BigInt(largeInteger),
		status,
	} as const;
	const tom = { name: "Tom", categoryId: 2n, status } as const;
	for (const pet of [rex, tom, tom]) await store.catalogue.addPet({ pet });
	await store.catalogue.changePets([{ petId: 3n, set: undefined }]);
	await store.categories.set({ id: 1n, name: "Cats" });
	await store.keys.add(caller.record);
	const keyHash = caller.record.hash;
	await store.sessions.add({
		hash: session.hash,
		keyHash,
		createdAt: Date.now(),
	});
	return service;
}

export function toRequest(
	id: string,
	base: string,
	key: string | undefined,
	changes: Partial<Filled> = {},
): SnippetRequest {
	const operation = operations.find((one) => one.id === id);
	if (operation === undefined) throw new Error(`There is no ${id}.`);
	return toSnippetRequest({ ...toFilled(operation), ...changes }, base, key);
}
