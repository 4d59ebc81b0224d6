// Starts one server, runs the cases of the interface document against it, and stops it.
import { launch } from "../bench/measure/launch.ts";
import { documentCases } from "../conformance/cases/document.ts";
import { type Result, run } from "../conformance/run.ts";
import { toTarget } from "../src/cli/commands/verify/verified-store.ts";
import type { Peer } from "./peers.ts";

export async function runPeer(
	peer: Peer,
	cases = documentCases,
): Promise<readonly Result[]> {
	const server = await launch(peer, { catalogue: "", replies: "" });
	try {
		const target = toTarget(server.url, { key: server.keys[0] ?? "" });
		return await Array.fromAsync(run(cases, target));
	} finally {
		await server.stop();
	}
}
