// For every status in the document, Dredd sends the same valid request with an empty Idempotency-Key, and requires every header of the
// reply. So it tests only the replies to valid requests, and of their headers only Content-Type.
const hooks = require("hooks");

hooks.beforeEach((transaction, done) => {
	transaction.skip = !transaction.expected.statusCode.startsWith("2");
	transaction.expected.headers = { "Content-Type": "application/json" };
	delete transaction.request.headers["Idempotency-Key"];
	done();
});
