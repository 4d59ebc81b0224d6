// `/metrics`, for Prometheus.
import { httpStatus } from "../../contract/operation.ts";
import type { Surface } from "../../http/surface.ts";
import { type Snapshot, withLabels } from "./snapshot.ts";
import { metricsMediaType, toMetricsText } from "./text.ts";

export function createMetricsSurface(options: {
	authenticate: Surface["authenticate"];
	version: string;
	/** The metrics of all processes of this service. */
	collect: () => Promise<Snapshot>;
}): Surface {
	const { authenticate, version, collect } = options;

	async function readText(): Promise<string> {
		const { totals, gauges } = await collect();
		const build = withLabels("petstore_build_info", { version });
		return toMetricsText({ totals, gauges: { ...gauges, [build]: 1 } });
	}

	return {
		prefix: "/metrics",
		authenticate,
		headers: metricsHeaders,
		isSameOriginOnly: true,
		// A monitoring system must see a service whose limit is used up.
		isUnlimited: true,
		routes: [
			{
				method: "GET",
				path: "",
				scope: "metrics",
				headers: metricsHeaders,
				handle: async ({ headers }) => ({
					status: httpStatus.ok,
					headers,
					body: await readText(),
					mediaType: metricsMediaType,
				}),
			},
		],
	};
}

/** Errors are JSON, as everywhere. Without CORS headers, since no page needs the metrics. */
const metricsHeaders = new Headers({
	"Content-Type": "application/json",
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-origin",
});
