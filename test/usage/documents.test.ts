// The documents for Prometheus and Grafana: the table of metrics, the configuration, the alerts and the dashboard.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import dashboard from "../../docs/grafana-dashboard.json" with { type: "json" };
import { root } from "../../harness/process.ts";
import { hasPromtool, runPromtool } from "../../harness/prometheus.ts";
import { readConfiguration } from "../../harness/prometheus-server.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { type Family, families } from "../../src/usage/metrics/families.ts";

const page = readFileSync(`${root}docs/monitor.md`, "utf8");
const rules = readFileSync(`${root}deploy/petstore-rules.yml`, "utf8");
const names = Object.keys(families);
/** The names of all series. A histogram has three. */
const series = Object.entries<Family>(families).flatMap(([name, { type }]) =>
	type === "histogram"
		? [`${name}_bucket`, `${name}_sum`, `${name}_count`]
		: [name],
);
const expressions = dashboard.panels.flatMap(({ targets }) =>
	targets.map(({ expr }) => expr),
);

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
	folder = temporaryFolder();
});
afterAll(() => folder.remove());

test("lists every metric in the table of docs/monitor.md", () => {
	const rows = page.split("\n| Metric |")[1]?.split("\n\n")[0] ?? "";
	const listed = [
		...rows.matchAll(/`((?:http_server|petstore|process)_\w+)`/g),
	];
	expect(listed.map(([, name = ""]) => name).sort()).toEqual(names.toSorted());
});

test("uses only existing metrics in the dashboard and the alerts", () => {
	const used = [...expressions, rules]
		.flatMap((text) => [
			...text.matchAll(/\b(?:petstore|process)_\w+|\bhttp_server_\w+/g),
		])
		.map(([name]) => name);
	expect(used.length).toBeGreaterThan(10);
	for (const name of used) expect(series).toContain(name);
});

test("uses the chosen data source in every panel of the dashboard, each at a place of its own", () => {
	const chosen = `$${"{datasource}"}`;
	const places = new Set<string>();
	for (const { id, datasource, targets, gridPos } of dashboard.panels) {
		for (const source of [datasource, ...targets.map((one) => one.datasource)])
			expect([id, source.type, source.uid]).toEqual([id, "prometheus", chosen]);
		places.add(`${gridPos.x} ${gridPos.y}`);
	}
	expect(places.size).toBe(dashboard.panels.length);
	expect(dashboard.templating.list.map(({ type }) => type)).toContain(
		"datasource",
	);
});

test.if(hasPromtool)(
	"promtool accepts the configuration, the alerts and the expressions of the dashboard",
	() => {
		const key = `${folder.path}/petstore.key`;
		const ruleFile = `${folder.path}/petstore-rules.yml`;
		const config = `${folder.path}/prometheus.yml`;
		writeFileSync(key, "x");
		writeFileSync(ruleFile, rules);
		writeFileSync(
			config,
			readConfiguration().replace("/etc/prometheus/petstore.key", key),
		);
		expect(runPromtool(["check", "rules", ruleFile])).toBe("");
		expect(runPromtool(["check", "config", config])).toBe("");
		const dashboardRules = `${folder.path}/dashboard.yml`;
		writeFileSync(
			dashboardRules,
			JSON.stringify({
				groups: [{ name: "dashboard", rules: expressions.map(toRule) }],
			}),
		);
		expect(runPromtool(["check", "rules", dashboardRules])).toBe("");
	},
);

function toRule(expr: string, index: number) {
	return {
		record: `panel:${index}`,
		expr: expr.replaceAll("$__rate_interval", "5m"),
	};
}
