// Why the other servers fail cases, found out by people. A pattern that begins with ": " must match the first problem of a failure.
import type { Cause } from "./judge.ts";

/** The values in the reply are not those of the request, or of the animal added before. */
const otherValues =
	/: (Pet\.\w+ is |the list has \d+ animals|animal -?\d+ is (missing|in the list))/;

const answers422: Cause = {
	text: "It refuses an invalid body with 422, not with 400.",
	failures: /: the status is 422, not 400/,
};

const acceptsAnyToken: Cause = {
	text: "It accepts any bearer token as a key.",
	failures: /with an invalid key.*: the status is 20[01], not 401/,
};

const checksNoKey: Cause = {
	text: "It checks no keys.",
	failures: /: the status is 20[01], not 401/,
};

const checksNoBody: Cause = {
	text: "It checks no bodies, so it answers 201 to an invalid one.",
	failures: /: the status is 201, not 400/,
};

const findsEveryId: Cause = {
	text: "It has an animal for every id, where 404 is expected.",
	failures: /: the status is 200, not 404/,
};

const refusesLargeIntegers: Cause = {
	text: "It refuses integers that a JavaScript number cannot represent exactly.",
	failures: /^categoryId is an int64.*: the status is 4\d\d, not 201/,
};

export const prismCauses: readonly Cause[] = [
	{
		text: "It stores nothing, and its replies always have the same values.",
		failures: otherValues,
	},
	answers422,
	refusesLargeIntegers,
	{
		text: "It answers 422, not 404, to the largest id.",
		failures: /: the status is 422, not 404/,
	},
	acceptsAnyToken,
	{
		text: "It sends no reply to a body that is not JSON.",
		failures: /text that is not JSON: no reply: TimeoutError/,
	},
];

export const scalarCauses: readonly Cause[] = [
	{
		text: "It stores nothing, and its replies always have the same values.",
		failures: otherValues,
	},
	answers422,
	findsEveryId,
	{
		text: "Its 401 has no `code` and no `status`.",
		failures:
			/: Error\.code is not a string; Error\.status is missing, not 401/,
	},
	acceptsAnyToken,
];

export const mockoonCauses: readonly Cause[] = [
	{
		text: "It stores nothing, and its replies have random values, so the counts differ by a few from run to run.",
		failures: otherValues,
	},
	checksNoBody,
	checksNoKey,
	findsEveryId,
];

export const jsonServerCauses: readonly Cause[] = [
	checksNoKey,
	{
		text: "It stores every body unchecked, so it answers 201 to an invalid one.",
		failures: /: the status is 201, not 400/,
	},
	{
		text: "It rounds int64 numbers, and its lists then have numbers that are no int64.",
		failures: /: Pet\.categoryId is -?9\d{15,}, not /,
	},
	{
		text: "It ignores `limit`.",
		failures: /: the list has \d+ animals, /,
	},
	{
		text: "Its 404 for a missing animal has the body `{}`.",
		failures: /: Error\.code is not a string; .*is missing, not 404/,
	},
	{
		text: "Its 400 to text that is not JSON is a web page.",
		failures: /text that is not JSON: the body is not an Error object/,
	},
];

export const honoCauses: readonly Cause[] = [
	refusesLargeIntegers,
	{
		text: "Hono answers 400, not 401, to another scheme than Bearer.",
		failures: /another scheme than Bearer.*: the status is 400, not 401/,
	},
];

export const fastifyCauses: readonly Cause[] = [refusesLargeIntegers];
