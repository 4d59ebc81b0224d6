// Uses bigint for int64, in the types and in the replies.
export default {
	input: "openapi.json",
	output: "petstore",
	plugins: [
		"@hey-api/typescript",
		"@hey-api/client-fetch",
		"@hey-api/transformers",
		{ name: "@hey-api/sdk", transformer: true },
	],
};
