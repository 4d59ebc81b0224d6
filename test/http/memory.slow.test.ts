// Clients that ask for long replies and do not read them. The service must use little memory, and answer the others.
import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { readResources } from "../../faults/load/resources.ts";
import { toCursor } from "../../src/contract/cursor.ts";
import { openStore } from "../../src/store/open.ts";
import { makeKey } from "../harness/key.ts";
import { serve } from "../harness/process.ts";
import { request } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { type Engine, engines, newDatabase } from "../store/engines.ts";

const animals = 300;
const sockets = 400;

/** The paths that the sockets request, each another part of the catalogue. */
const paths: readonly ((index: number) => string)[] = [
	(index) => `/v1/pets?limit=100&cursor=${toCursor(toLast(index), {})}`,
	(index) =>
		`/operator/v1/pets?limit=100&cursor=${toCursor(toLast(index), {})}`,
	(index) => `/v1/pets/${1 + (index % animals)}`,
	() => "/operator/v1/changes?limit=1000",
	() => "/operator/v1/pets/export",
];

const toLast = (index: number) => BigInt(animals - (index % 200));

describe("Overload", () => {
	describe.each(engines)("%s", (engine) => {
		test(
			"stays below 180 MB and answers other clients while 400 sockets do not read long replies",
			() =>
				withService(engine, async ({ url, key, others }) => {
					const attack = openAttack(url, key);
					await others();
					attack.end();
					expect(attack.statuses()).toEqual(new Set(["200", "503"]));
				}),
			60_000,
		);

		test(
			"stays below 180 MB and answers other clients while 100 clients send GET, HEAD and If-None-Match for long lists",
			() =>
				withService(engine, async ({ url, key, others }) => {
					const statuses = new Set<number>();
					const isOver = new AbortController();
					const clients = Array.from({ length: 100 }, async (_, index) => {
						for (let count = index; !isOver.signal.aborted; count += 7) {
							const path = paths[count % 2]?.(count) ?? "/";
							const reply = await fetch(
								url + path,
								inits[index % inits.length]?.(key),
							);
							await reply.arrayBuffer();
							statuses.add(reply.status);
						}
					});
					try {
						await others();
					} finally {
						isOver.abort();
						// The service must not end before their last replies, or the next try fails too.
						await Promise.allSettled(clients);
					}
					await Promise.all(clients);
					expect(statuses).toEqual(new Set([200, 304, 503]));
				}),
			60_000,
		);
	});
});

const inits: readonly ((key: string) => RequestInit)[] = [
	(key) => ({ headers: { Authorization: `Bearer ${key}` } }),
	(key) => ({ method: "HEAD", headers: { Authorization: `Bearer ${key}` } }),
	(key) => ({
		headers: { Authorization: `Bearer ${key}`, "If-None-Match": "*" },
	}),
];

interface Attacked {
	readonly url: string;
	readonly key: string;
	/** Calls the service with another key for some seconds, and expects 200. */
	readonly others: () => Promise<void>;
}

async function withService(
	engine: Engine,
	attack: (service: Attacked) => Promise<void>,
): Promise<void> {
	const database = await newDatabase(engine);
	const folder = temporaryFolder();
	const [attacker, other] = [makeKey({ scope: "operator" }), makeKey()];
	const store = await openStore(database.url, { create: true });
	for (const { record } of [attacker, other]) await store.keys.add(record);
	for (let count = 0; count < animals; count++)
		await store.catalogue.addPet({
			pet: {
				name: `${count}`.padEnd(60_000, "x"),
				...({ categoryId: 1n, status: "available" } as const),
			},
		});
	await store.close();
	const service = await serve([], {
		cwd: folder.path,
		env: { PETSTORE_DATABASE: database.url },
	});
	const others = async () => {
		const answered = new Map<string, number>();
		const until = performance.now() + 6_000;
		while (performance.now() < until) {
			for (const path of ["/v1/pets?limit=1", "/v1/pets/5", "/healthz"]) {
				const reply = await fetch(service.url + path, {
					headers: { Authorization: `Bearer ${other.key}` },
				});
				expect([path, reply.status]).toEqual([path, 200]);
				await reply.arrayBuffer();
				answered.set(path, (answered.get(path) ?? 0) + 1);
			}
		}
		for (const count of answered.values()) expect(count).toBeGreaterThan(5);
	};
	await attack({ url: service.url, key: attacker.key, others });
	const { peakMebibytes } = readResources(service.pid);
	expect(peakMebibytes * 1.048576).toBeLessThan(180);
	service.kill("SIGTERM");
	expect((await service.finished).status).toBe(0);
	await database.remove();
	folder.remove();
}

/** Sockets that read only the head of a reply. A refused one tries again. */
function openAttack(url: string, key: string) {
	const statuses = new Set<string>();
	const open = new Set<Socket>();
	let isOver = false;
	function ask(index: number): void {
		if (isOver) return;
		const path = paths[index % paths.length]?.(index) ?? "/";
		const socket = connect(Number(new URL(url).port), "127.0.0.1");
		open.add(socket);
		socket.on("error", () => {});
		socket.once("connect", () =>
			socket.write(request(`GET ${path}`, [`Authorization: Bearer ${key}`])),
		);
		socket.once("data", (head: Buffer) => {
			const status = head.toString("latin1", 9, 12);
			statuses.add(status);
			socket.pause();
			if (status === "200") return;
			socket.destroy();
			open.delete(socket);
			setTimeout(() => ask(index + 7), 50);
		});
	}
	for (let index = 0; index < sockets; index++) ask(index);
	return {
		statuses: () => statuses,
		end() {
			isOver = true;
			for (const socket of open) socket.destroy();
		},
	};
}
