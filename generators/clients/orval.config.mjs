// Without `baseUrl` the client calls addresses without a host, such as /pets.
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
