// Sends the load that a file describes with autocannon, and prints the outcome as JSON.
// Usage: node load.js FILE
import { readFileSync } from "node:fs";
import autocannon from "autocannon";

const load = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { connections, seconds, rate = 0, animals } = load;
let number = load.firstNumber;

const result = await autocannon({
	url: new URL(load.url).origin,
	connections,
	duration: seconds,
	requests: load.templates.map(toRequest),
	...(rate > 0 && { overallRate: rate }),
});
console.log(
	JSON.stringify({
		requests: result.requests.total,
		seconds: result.duration,
		p99Ms: result.latency.p99,
		failures: result["4xx"] + result["5xx"],
		errors: result.errors,
	}),
);

function toRequest({ number: kind, ...template }) {
	if (kind === undefined) return template;
	return {
		...template,
		setupRequest: (request) => fill(request, makeNumber(kind)),
	};

	// Starts from the template each time, because autocannon uses the same request object again.
	function fill(request, digits) {
		const replace = (text) => text.replaceAll("{number}", digits);
		const headers = Object.entries(template.headers);
		return {
			...request,
			path: replace(template.path),
			headers: Object.fromEntries(headers.map(([n, v]) => [n, replace(v)])),
			...(template.body !== undefined && { body: replace(template.body) }),
		};
	}
}

function makeNumber(kind) {
	const id = String(1 + Math.floor(Math.random() * animals));
	if (kind === "random") return id;
	return kind === "padded" ? toNineDigits(id) : toNineDigits(++number);
}

function toNineDigits(value) {
	return String(value).padStart(9, "0");
}
