// Calls the service through the client of hey-api with its transformers, which use bigint for int64.
import { categoryId, key, noPetId, petId, report } from "./given.ts";
import { createPet, getPet, listPets } from "./petstore";
import { client } from "./petstore/client.gen";

client.setConfig({ auth: key });
const listed = await listPets({ query: { limit: 10, status: "available" } });
const added = await createPet({
	body: { name: "Rex", categoryId: BigInt(categoryId) },
});
const got = await getPet({ path: { petId: BigInt(petId) } });
const missing = await getPet({ path: { petId: BigInt(noPetId) } });
report(listed.data, added.data, got.data, missing.error?.code);
