// Calls the service through the client of orval.
import { categoryId, key, noPetId, petId, report } from "./given.ts";
import { createPet, getPet, listPets } from "./petstore.ts";

const options = { headers: { Authorization: `Bearer ${key}` } };
const listed = await listPets({ limit: 10, status: "available" }, options);
const added = await createPet(
	{ name: "Rex", categoryId: Number(categoryId) },
	options,
);
const got = await getPet(Number(petId), options);
const missing = await getPet(Number(noPetId), options);
report(
	listed.status === 200 ? listed.data : undefined,
	added.status === 201 ? added.data : undefined,
	got.status === 200 ? got.data : undefined,
	missing.status === 404 ? missing.data.code : undefined,
);
