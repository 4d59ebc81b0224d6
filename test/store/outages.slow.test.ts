// What the log says about a database that fails: one line at once, then a count.
import { expect, test } from "bun:test";
import { startPostgres } from "../harness/postgres/server.ts";
import { run, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";

type Line = Record<string, unknown>;
const begun = "the database cannot be used";

test(
	"logs one line when PostgreSQL goes away and one with the number of further failures",
	async () => {
		const server = await startPostgres([]);
		const folder = temporaryFolder();
		const key = "a-key-known-to-the-tests";
		const env = { PETSTORE_API_KEY: key, PETSTORE_DATABASE: server.url };
		const service = await serve([], { cwd: folder.path, env });
		const options = { cwd: folder.path, env };
		const made = await run(["keys", "create", "--name", "x"], options);
		const call = async (path: string, bearer = key, body?: string) => {
			const { status } = await fetch(service.url + path, {
				method: body === undefined ? "GET" : "POST",
				headers: {
					Authorization: `Bearer ${bearer}`,
					"Content-Type": "application/json",
				},
				...(body !== undefined && { body }),
			});
			return status;
		};
		const callAll = () =>
			Promise.all([
				call("/v1/pets"),
				call("/v1/pets/999"),
				call("/v1/pets", made.stdout.trim()),
				call("/v1/pets", key, '{"name":"Rex","categoryId":1}'),
				call("/readyz"),
			]);
		const logged = (): Line[] =>
			service
				.output()
				.stderr.split("\n")
				.filter((line) => line.endsWith("}"))
				.map((line) => JSON.parse(line));

		await server.stop("SIGINT");
		// A stored key is trusted for half a second.
		await Bun.sleep(600);
		const statuses: number[] = [];
		for (let time = 0; time < 12; time++) {
			statuses.push(...(await callAll()));
			await Bun.sleep(200);
		}
		expect(new Set(statuses)).toEqual(new Set([503]));
		await server.start();
		await waitFor(
			() => logged().find((line) => "count" in line),
			() => service.output().stderr,
			20_000,
		);
		expect(await callAll()).toEqual([200, 404, 200, 201, 200]);

		const problems = logged().filter(
			({ level }) => level === "warn" || level === "error",
		);
		expect(problems).toMatchObject([
			{
				level: "error",
				msg: begun,
				reason: expect.stringMatching(/57P0\d|terminat|ECONN/),
			},
			{ level: "error", msg: begun, count: expect.any(Number) },
		]);
		expect(service.output().stderr).not.toMatch(/"stack"|"err"/);
		service.kill("SIGTERM");
		await service.finished;
		await server.remove();
		folder.remove();
	},
	startMs + 30_000,
);
