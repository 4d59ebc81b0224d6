// A mix of all kinds of requests at 70 % of the peak rate, for a long time. No reply may be a 5xx, and memory and descriptors must not
// grow.
import { serve } from "../../test/harness/process.ts";
import { request } from "../../test/harness/raw.ts";
import { apiKey } from "../target/target.ts";
import { addRequest, listRequest, runClients } from "./clients.ts";
import { type Resources, readResources } from "./resources.ts";
import type { LoadOptions, LoadResult } from "./scenario.ts";

export async function soak({
	program,
	folder,
	size: seconds,
}: LoadOptions): Promise<LoadResult> {
	const service = await serve(["--database", `sqlite:${folder}/petstore.db`], {
		program,
		cwd: folder,
		env: { PETSTORE_API_KEY: apiKey },
	});
	const next = createMix();
	const connections = 32;
	const peak = await runClients(service.url, { connections, seconds: 3, next });
	const samples: Sample[] = [];
	const begun = performance.now();
	const timer = setInterval(() => {
		const minute = (performance.now() - begun) / 60_000;
		samples.push({ minute, ...readResources(service.pid) });
	}, 1_000);
	const rate = (0.7 * sum(peak.statuses)) / peak.seconds;
	const load = await runClients(service.url, {
		connections,
		seconds,
		next,
		rate,
	});
	clearInterval(timer);
	service.kill("SIGTERM");
	await service.finished;

	// Leaves out the last sample, which may be taken while the clients disconnect.
	const steady = samples.slice(Math.floor(samples.length / 5), -1);
	const slope = slopeOf(steady);
	const grown = Math.abs(slope) * (seconds / 60);
	const descriptors = steady.map((sample) => sample.descriptors);
	const spread = Math.max(...descriptors) - Math.min(...descriptors);
	const failed = [...load.statuses.keys()].filter((status) => status >= 500);
	const missing = expected.filter((status) => !load.statuses.has(status));
	return {
		figures: [
			`${Math.round(sum(load.statuses) / load.seconds).toLocaleString("en")} requests/s of ${Math.round(sum(peak.statuses) / peak.seconds).toLocaleString("en")}`,
			`memory ${steady.at(-1)?.mebibytes.toFixed(0)} MiB, ${slope >= 0 ? "+" : ""}${slope.toFixed(2)} MiB per minute`,
			`descriptors ${Math.min(...descriptors)} to ${Math.max(...descriptors)}`,
		],
		wrong: [
			...failed.map((status) => `a reply was ${status}`),
			...missing.map((status) => `no reply was ${status}`),
			...(load.lost > 0 ? [`${load.lost} connections were lost`] : []),
			...(grown > 64 ? [`memory grew by ${grown.toFixed(0)} MiB`] : []),
			...(spread > 10 ? [`descriptors varied by ${spread}`] : []),
		],
	};
}

/** The replies must include each of these statuses. */
const expected = [200, 201, 204, 304, 400, 401, 404];

interface Sample extends Resources {
	readonly minute: number;
}

/** Returns the kinds of requests in turn. */
function createMix(): () => string {
	const authorization = `Authorization: Bearer ${apiKey}`;
	const get = (path: string, ...lines: string[]) =>
		request(`GET ${path}`, [authorization, ...lines]);
	let count = 0;
	const kinds: readonly (() => string)[] = [
		() => listRequest,
		() => get("/v1/pets?status=available&limit=5"),
		() => get("/v1/pets?limit=100"),
		() => get("/v1/pets/1"),
		() => get(`/v1/pets/${1 + (count % 1_000)}`),
		() => get("/v1/pets/1", "If-None-Match: *"),
		() => addRequest(`animal ${count}`),
		() => addRequest(`animal ${count}`, "sold"),
		() =>
			addRequest("Rex").replace(
				"Content-Type",
				`Idempotency-Key: ${Math.floor(count / 20)}\r\nContent-Type`,
			),
		() => addRequest("Rex", "lost"),
		() => get("/v1/pets?limit=0"),
		() => get("/v1/orders"),
		() => listRequest.replace(authorization, "Authorization: Bearer unknown"),
		() => request("OPTIONS /v1/pets", ["Origin: http://x"]),
		() => request("GET /healthz", []),
		() => request("GET /readyz", []),
	];
	return () => {
		count++;
		return kinds[count % kinds.length]?.() ?? listRequest;
	};
}

function sum(counts: ReadonlyMap<number, number>): number {
	return [...counts.values()].reduce((total, count) => total + count, 0);
}

/** Least squares, in MiB per minute. */
function slopeOf(samples: readonly Sample[]): number {
	const mean = (values: readonly number[]) =>
		values.reduce((total, value) => total + value, 0) / values.length;
	const minute = mean(samples.map((sample) => sample.minute));
	const mebibytes = mean(samples.map((sample) => sample.mebibytes));
	let [over, under] = [0, 0];
	for (const sample of samples) {
		over += (sample.minute - minute) * (sample.mebibytes - mebibytes);
		under += (sample.minute - minute) ** 2;
	}
	return under === 0 ? 0 : over / under;
}
