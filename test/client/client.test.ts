// The client against the service.
import { afterAll, beforeAll, expect, test } from "bun:test";
import * as client from "../../src/client/client.ts";
import { openService, type Service } from "../service.ts";
import { runSuite } from "./suite.ts";

let service: Service;
let key: string;
beforeAll(async () => {
	service = await openService("over a socket");
	key = await service.makeKey();
});
afterAll(() => service.close());

test("passes its suite", async () => {
	const { url } = service;
	expect(await runSuite({ client, url, key })).not.toBeEmpty();
});
