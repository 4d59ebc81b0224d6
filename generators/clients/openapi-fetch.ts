// Calls the service through openapi-fetch, with the types of openapi-typescript.
import createClient from "openapi-fetch";
import { categoryId, key, noPetId, petId, report, url } from "./given.ts";
import type { paths } from "./petstore.ts";

const { GET, POST } = createClient<paths>({
	baseUrl: url,
	headers: { Authorization: `Bearer ${key}` },
});
const listed = await GET("/pets", {
	params: { query: { limit: 10, status: "available" } },
});
const added = await POST("/pets", {
	body: { name: "Rex", categoryId: Number(categoryId) },
});
const got = await GET("/pets/{petId}", {
	params: { path: { petId: Number(petId) } },
});
const missing = await GET("/pets/{petId}", {
	params: { path: { petId: Number(noPetId) } },
});
report(listed.data, added.data, got.data, missing.error?.code);
