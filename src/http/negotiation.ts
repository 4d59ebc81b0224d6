// Reads the preferences of a client from Accept and Accept-Encoding (RFC 9110, section 12.5).

/** Ranges that are read, and parts of one: more than browsers send. Anyone can send thousands without a key. */
const maxRanges = 50;
const maxRangeParts = 10;

/** Whether the client prefers a page to JSON. Without a preference it gets JSON. */
export function prefersHtml({ headers }: Request): boolean {
	const accepted = toRanges(headers.get("accept"));
	return (
		mediaQuality(accepted, "text/html") >
		mediaQuality(accepted, "application/json")
	);
}

export type Encoding = "br" | "gzip" | "identity";

/** Of the encodings that the client prefers, the one that compresses best. */
export function toEncoding({ headers }: Request): Encoding {
	const accepted = toRanges(headers.get("accept-encoding"));
	const quality = (name: Encoding) =>
		accepted.get(name) ?? accepted.get("*") ?? 0;
	const best = Math.max(quality("br"), quality("gzip"));
	if (best === 0 || best < (accepted.get("identity") ?? 0)) return "identity";
	return quality("br") === best ? "br" : "gzip";
}

/** The most specific matching range decides. */
function mediaQuality(
	accepted: ReadonlyMap<string, number>,
	mediaType: string,
): number {
	return (
		accepted.get(mediaType) ??
		accepted.get(mediaType.replace(/\/.*/, "/*")) ??
		accepted.get("*/*") ??
		0
	);
}

/** The ranges with their q-values. A range with a malformed q-value is ignored. */
function toRanges(header: string | null): ReadonlyMap<string, number> {
	const ranges = new Map<string, number>();
	for (const range of (header ?? "").split(",", maxRanges)) {
		const [name = "", ...parameters] = range
			.toLowerCase()
			.split(";", maxRangeParts)
			.map((part) => part.trim());
		const given = parameters.find((one) => one.startsWith("q=")) ?? "q=1";
		if (qualityForm.test(given)) ranges.set(name, Number(given.slice(2)));
	}
	return ranges;
}

const qualityForm = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/;
