// Without `baseUrl`, the client calls /pets without a host.
export default {
	petstore: {
		input: "openapi.json",
		output: {
			target: "petstore.ts",
			client: "fetch",
			baseUrl: { getBaseUrlFromSpecification: true },
		},
	},
};
