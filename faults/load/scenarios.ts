// The load scenarios and their sizes.
import { slowBody, slowHeader, slowReader } from "./attack.ts";
import {
	overloadConnections,
	overloadSlowStore,
	straceSkipReason,
} from "./overload.ts";
import { proxySkipReason } from "./proxy.ts";
import { restartBehind, restartOnOnePort } from "./rolling.ts";
import type { LoadScenario } from "./scenario.ts";
import { soak } from "./soak.ts";

export const loadScenarios: readonly LoadScenario[] = [
	{
		name: "overload-connections",
		load: "lists over ten times as many connections as the peak needs",
		size: { unit: "rounds", record: 5, test: 1 },
		run: overloadConnections,
	},
	{
		name: "overload-slow-store",
		load: "adds over ten times as many connections as the peak needs, while each sync takes 5 ms longer",
		size: { unit: "rounds", record: 5, test: 1 },
		skipReason: straceSkipReason,
		run: overloadSlowStore,
	},
	{
		name: "slow-header",
		load: "sockets that send a header one byte per second",
		size: { unit: "sockets", record: 4_000, test: 200 },
		run: slowHeader,
	},
	{
		name: "slow-body",
		load: "sockets that send a body one byte per second",
		size: { unit: "sockets", record: 4_000, test: 200 },
		run: slowBody,
	},
	{
		name: "slow-reader",
		load: "sockets that request 165 KB each and read nothing",
		size: { unit: "sockets", record: 2_000, test: 100 },
		run: slowReader,
	},
	{
		name: "rolling-haproxy",
		load: "two copies behind HAProxy are restarted one after the other, while 16 clients list and add on kept and on new connections",
		size: { unit: "rounds", record: 100, test: 1 },
		skipReason: () => proxySkipReason("haproxy"),
		run: (options) => restartBehind("haproxy", "2", options),
	},
	{
		name: "rolling-nginx",
		load: "the same behind nginx",
		size: { unit: "rounds", record: 100, test: 1 },
		skipReason: () => proxySkipReason("nginx"),
		run: (options) => restartBehind("nginx", "3", options),
	},
	{
		name: "rolling-port",
		load: "two copies that share a port are replaced one after the other, under the same load without a proxy",
		size: { unit: "rounds", record: 100, test: 1 },
		run: restartOnOnePort,
	},
	{
		name: "soak",
		load: "a mix of all kinds of requests at 70 % of the peak rate",
		size: { unit: "seconds", record: 1_200, test: 5 },
		run: soak,
	},
];
