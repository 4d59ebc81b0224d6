// Clients that request long replies and do not read them. The service must use little memory, and answer the others.
import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { readResources } from "../../faults/load/resources.ts";
import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { toPet } from "../harness/pet.ts";
import { serve } from "../harness/process.ts";
import { request } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { engines, newDatabase } from "../store/engines.ts";

const animals = 1_000;
const sockets = 400;
const paths = ["/v1/pets?limit=100", "/operator/v1/changes?limit=1000"];

describe.each(engines)("%s", (engine) => {
	test.each(paths)(
		"stays below 200 MB and answers other clients while 400 sockets do not read %s",
		async (path) => {
			const database = await newDatabase(engine);
			const folder = temporaryFolder();
			const [attacker, other] = [makeKey({ scope: "operator" }), makeKey()];
			const store = await openStore(database.url, { access: "create" });
			for (const { record } of [attacker, other]) await store.keys.add(record);
			const name = "\u0001".repeat(255);
			await Promise.all(
				Array.from({ length: animals }, () =>
					store.catalogue.addPet({ pet: toPet({ name }) }),
				),
			);
			await store.close();
			const service = await serve([], {
				cwd: folder.path,
				env: { PETSTORE_DATABASE: database.url },
			});
			const attack = openAttack(service.url + path, attacker.key);
			await callOthers(service.url, other.key);
			attack.end();
			expect(attack.statuses()).toContain("200");
			const { peakMebibytes } = readResources(service.pid);
			expect(peakMebibytes * 1.048576).toBeLessThan(200);
			service.kill("SIGTERM");
			expect((await service.finished).status).toBe(0);
			await database.remove();
			folder.remove();
		},
		60_000,
	);
});

async function callOthers(url: string, key: string): Promise<void> {
	const until = performance.now() + 6_000;
	for (let rounds = 0; ; rounds++) {
		for (const path of ["/v1/pets?limit=1", "/v1/pets/5", "/healthz"]) {
			const headers = { Authorization: `Bearer ${key}` };
			const reply = await fetch(url + path, { headers });
			expect([path, reply.status]).toEqual([path, 200]);
			await reply.arrayBuffer();
		}
		if (performance.now() < until) continue;
		expect(rounds).toBeGreaterThan(5);
		return;
	}
}

/** Sockets that read only the head of a reply. A refused one tries again. */
function openAttack(url: string, key: string) {
	const statuses = new Set<string>();
	const open = new Set<Socket>();
	let isOver = false;
	const { port, pathname, search } = new URL(url);
	function ask(): void {
		if (isOver) return;
		const socket = connect(Number(port), "127.0.0.1");
		open.add(socket);
		socket.on("error", () => {});
		socket.once("connect", () =>
			socket.write(
				request(`GET ${pathname}${search}`, [`Authorization: Bearer ${key}`]),
			),
		);
		socket.once("data", (head: Buffer) => {
			const status = head.toString("latin1", 9, 12);
			statuses.add(status);
			socket.pause();
			if (status === "200") return;
			socket.destroy();
			open.delete(socket);
			setTimeout(ask, 50);
		});
	}
	for (let index = 0; index < sockets; index++) ask();
	return {
		statuses: () => statuses,
		end() {
			isOver = true;
			for (const socket of open) socket.destroy();
		},
	};
}
