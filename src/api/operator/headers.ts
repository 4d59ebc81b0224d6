// The headers that all replies of the operator interface carry.

/** Without CORS headers: a browser sends the cookie of a session by itself, so pages of other origins must neither read nor embed these replies. */
export const operatorHeaders = new Headers({
	"Content-Type": "application/json",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-origin",
});

export const notStored = { "Cache-Control": "no-store" };
