// The headers of everything that a browser is sent. Scripts, styles and requests of a page stay within its origin, no other site may
// show it in a frame, and scripts of other origins cannot read it: unlike replies with JSON, pages have no CORS headers.

const security = {
	// Of an error. A page says what it is itself.
	"Content-Type": "application/json",
	"Content-Security-Policy": [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self'",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join("; "),
	"X-Content-Type-Options": "nosniff",
	"Referrer-Policy": "no-referrer",
	"Cross-Origin-Resource-Policy": "same-origin",
};

/** A page is asked for again each time, and its ETag saves sending it. */
export const pageHeaders = new Headers({
	...security,
	"Cache-Control": "no-cache",
});

/** The name of an asset has the hash of its content, so its content never changes. */
export const assetHeaders = new Headers({
	...security,
	"Cache-Control": "public, max-age=31536000, immutable",
});
