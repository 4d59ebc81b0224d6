// The headers of requests and replies that the interfaces describe. None of them is in the interface document.

export const requestHeaders = {
	"If-None-Match":
		"An `ETag` of an earlier reply. If it is still current, the reply is a 304.",
	"If-Match":
		"ETags of the animal in double quotes, separated by commas, or `*`. If the animal has none of them, the reply is a 412.",
	"Idempotency-Key":
		"A name for this request, so that it can be repeated safely.",
	"Sec-Fetch-Site":
		"`same-origin`, which browsers send automatically from a page of the service. Without this header the `Origin` must equal the `Host`.",
	"X-Request-Id":
		"A name for this request in the log of the service: 1 to 64 of the characters `A-Z a-z 0-9 . _ -`, which come back in the reply. Any other value is ignored.",
} as const;

/** Those that scripts of other origins may read. */
export const exposedHeaders = {
	ETag: "Names this exact reply, for use in `If-None-Match`.",
	Link: "Related addresses: the next page, or the operation that replaces a deprecated one.",
	Location: "The address of the new animal.",
	Deprecation: "When the operation was deprecated, as a Unix time after `@`.",
	Sunset: "When the operation is to be removed.",
	"Idempotency-Replayed":
		"`true` when this reply repeats that of an earlier request with the same Idempotency-Key.",
	"Retry-After":
		"Seconds to wait before trying again. Only where repeating the request is safe.",
	"RateLimit-Policy":
		"Only with a rate limit: at most `q` requests at the same time, then `q` in `w` seconds.",
	RateLimit:
		"Only with a rate limit: `r` more requests are accepted now, and one more in at most `t` seconds. Each process counts separately.",
	"WWW-Authenticate": "The challenge of the bearer scheme.",
	"X-Request-Id":
		"Names this request in the log: the `X-Request-Id` of the request. Without one, the service makes an id if it logs the reply.",
} as const;

/** Pages of other origins cannot read what the operator interface sends. */
export const replyHeaders = {
	...exposedHeaders,
	"Edit-Id":
		"The id of the edit that this request made, for `undoEdit`. Absent if nothing had to be changed, or no history is kept.",
} as const;

export type ReplyHeader = keyof typeof replyHeaders;
