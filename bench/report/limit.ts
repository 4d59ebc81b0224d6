// What limited the requests a second of a row: the server or the load generator.
import { median } from "../measure/statistics.ts";

/** From the shares of their cores that the server and the load generator used, one for each reading. */
export function toLimit(
	serverShares: readonly number[],
	generatorShares: readonly number[],
): string {
	const server = median(serverShares);
	const generator = median(generatorShares);
	if (Number.isNaN(server) || Number.isNaN(generator)) return "–";
	const shares = `server ${toPercent(server)}, generator ${toPercent(generator)}`;
	return `${findLimit(server, generator)} (${shares})`;
}

function findLimit(server: number, generator: number): string {
	if (Math.max(server, generator) < saturated) return "neither";
	return server >= generator ? "server" : "generator";
}

/** From this share on, a core counts as in use all the time. The rest is the start and the end of a second. */
const saturated = 0.9;

function toPercent(share: number): string {
	return `${Math.round(100 * Math.min(1, share))} %`;
}
