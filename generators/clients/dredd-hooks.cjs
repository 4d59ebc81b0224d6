// Dredd sends one request for every status in the document, the valid one each time, with an empty Idempotency-Key, and requires
// every header of the reply. So it tests only what a valid request gets, and of the headers only Content-Type.
const hooks = require("hooks");

hooks.beforeEach((transaction, done) => {
	transaction.skip = !transaction.expected.statusCode.startsWith("2");
	transaction.expected.headers = { "Content-Type": "application/json" };
	delete transaction.request.headers["Idempotency-Key"];
	done();
});
