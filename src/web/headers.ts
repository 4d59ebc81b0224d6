// The headers of pages and assets. A page loads only from its own origin, and no other site may show it in a frame.
// Scripts of other origins cannot read it: unlike JSON replies, pages have no CORS headers.

const security = {
	// For errors. Pages and assets set their own.
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

/** A browser revalidates a page each time. Its ETag saves the body. */
export const pageHeaders = new Headers({
	...security,
	"Cache-Control": "no-cache",
});

/** The name of an asset has the hash of its content, so its content never changes. */
export const assetHeaders = new Headers({
	...security,
	"Cache-Control": "public, max-age=31536000, immutable",
});
