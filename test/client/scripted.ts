// A client and a server with scripted answers for its tests, and the texts of those answers.
import { afterAll } from "bun:test";
import {
	type ClientOptions,
	createClient,
	type Pet,
	PetstoreError,
} from "../../src/client/client.ts";
import {
	type Answer,
	reply,
	type ScriptedServer,
	startScriptedServer,
} from "../harness/scripted-server.ts";

export const petText = '{"id":1,"name":"Rex","categoryId":2,"status":"sold"}';
export const pet: Pet = { id: 1n, name: "Rex", categoryId: 2n, status: "sold" };
export const newPet = { name: "Rex", categoryId: 2n };
export const created = reply(201, petText);
export const page = reply(200, `[${petText}]`);
export const errorBody = (status: number) =>
	`{"code":"a_code","message":"A message.","status":${status}}`;

const servers: ScriptedServer[] = [];
afterAll(() => {
	for (const server of servers) server.close();
});

export async function answering(
	answers: readonly [Answer, ...Answer[]],
	options: Partial<ClientOptions> = {},
) {
	const server = await startScriptedServer(...answers);
	servers.push(server);
	const store = createClient({ url: server.url, key: "a-key", ...options });
	return { store, server };
}

export async function failure(call: Promise<unknown>): Promise<PetstoreError> {
	const error = await call.catch((reason: unknown) => reason);
	if (error instanceof PetstoreError) return error;
	throw new Error(`not a PetstoreError: ${error}`);
}
