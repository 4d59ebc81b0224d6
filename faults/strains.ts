// Load and attacks, and how much of them: the second table of docs/reliability.md.
import { slowBody, slowHeader, slowReader } from "./attack.ts";
import {
	overloadConnections,
	overloadSlowStore,
	whyNoStrace,
} from "./overload.ts";
import { soak } from "./soak.ts";
import type { Strain } from "./strain.ts";

export const strains: readonly Strain[] = [
	{
		name: "overload-connections",
		strain: "lists over ten times the connections that give the peak",
		size: { unit: "rounds", record: 5, test: 1 },
		run: overloadConnections,
	},
	{
		name: "overload-slow-store",
		strain: "the same with adds, where each sync takes 5 ms longer",
		size: { unit: "rounds", record: 5, test: 1 },
		whyNot: whyNoStrace,
		run: overloadSlowStore,
	},
	{
		name: "slow-header",
		strain: "sockets that send a head byte by byte",
		size: { unit: "sockets", record: 4_000, test: 200 },
		run: slowHeader,
	},
	{
		name: "slow-body",
		strain: "sockets that send a body byte by byte",
		size: { unit: "sockets", record: 4_000, test: 200 },
		run: slowBody,
	},
	{
		name: "slow-reader",
		strain: "sockets that ask for 6 MB each and read nothing",
		size: { unit: "sockets", record: 2_000, test: 100 },
		run: slowReader,
	},
	{
		name: "soak",
		strain: "a mix of everything at 70 % of the peak",
		size: { unit: "seconds", record: 1_200, test: 5 },
		run: soak,
	},
];
