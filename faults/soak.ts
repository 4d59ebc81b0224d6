// A mix of everything at 70 % of the peak for a long time: memory and descriptors stay as they are, and nothing fails.
import { serve } from "../harness/process.ts";
import { request } from "../harness/raw.ts";
import { addRequest, listRequest, sendCrowd } from "./crowd.ts";
import { type Bearing, holdings, type StrainSetting } from "./strain.ts";
import { apiKey } from "./trial.ts";

export async function soak({
	program,
	folder,
	size: seconds,
}: StrainSetting): Promise<Bearing> {
	const service = await serve(["--database", `sqlite:${folder}/petstore.db`], {
		program,
		cwd: folder,
		env: { API_KEY: apiKey },
	});
	const next = createMix();
	const connections = 32;
	const peak = await sendCrowd(service.url, { connections, seconds: 3, next });
	const samples: Sample[] = [];
	const begun = performance.now();
	const timer = setInterval(() => {
		const minute = (performance.now() - begun) / 60_000;
		samples.push({ minute, ...holdings(service.pid) });
	}, 1_000);
	const rate = (0.7 * sum(peak.statuses)) / peak.seconds;
	const crowd = await sendCrowd(service.url, {
		connections,
		seconds,
		next,
		rate,
	});
	clearInterval(timer);
	service.kill("SIGTERM");
	await service.finished;

	// Without the last, when clients leave.
	const settled = samples.slice(Math.floor(samples.length / 5), -1);
	const slope = slopeOf(settled);
	const grown = Math.abs(slope) * (seconds / 60);
	const handles = settled.map((sample) => sample.handles);
	const spread = Math.max(...handles) - Math.min(...handles);
	const failed = [...crowd.statuses.keys()].filter((status) => status >= 500);
	const missing = expected.filter((status) => !crowd.statuses.has(status));
	return {
		figures: [
			`${Math.round(sum(crowd.statuses) / crowd.seconds).toLocaleString("en")} requests/s of ${Math.round(sum(peak.statuses) / peak.seconds).toLocaleString("en")}`,
			`memory ${settled.at(-1)?.mebibytes.toFixed(0)} MiB, ${slope >= 0 ? "+" : ""}${slope.toFixed(2)} MiB a minute`,
			`descriptors ${Math.min(...handles)} to ${Math.max(...handles)}`,
		],
		wrong: [
			...failed.map((status) => `an answer was ${status}`),
			...missing.map((status) => `no answer was ${status}`),
			...(crowd.lost > 0 ? [`${crowd.lost} connections were lost`] : []),
			...(grown > 64 ? [`memory grew by ${grown.toFixed(0)} MiB`] : []),
			...(spread > 10 ? [`descriptors varied by ${spread}`] : []),
		],
	};
}

/** What the mix must be answered with. */
const expected = [200, 201, 204, 304, 400, 401, 404];

interface Sample {
	readonly minute: number;
	readonly mebibytes: number;
	readonly handles: number;
}

/** Every kind of request, in turn. */
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
		() => listRequest.replace(authorization, "Authorization: Bearer nobody"),
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

/** Of the straight line nearest to all, in MiB a minute. */
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
