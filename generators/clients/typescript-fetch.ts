// Calls the service through the client of openapi-generator's typescript-fetch, which throws a reply that is an error.
import { categoryId, key, noPetId, petId, report } from "./given.ts";
import { Configuration, PetStatus, PetsApi, ResponseError } from "./petstore";

const pets = new PetsApi(new Configuration({ accessToken: key }));
report(
	await pets.listPets({ limit: 10, status: PetStatus.Available }),
	await pets.createPet({
		newPet: { name: "Rex", categoryId: Number(categoryId) },
	}),
	await pets.getPet({ petId: Number(petId) }),
	await pets.getPet({ petId: Number(noPetId) }).then(
		() => undefined,
		async (error: unknown) =>
			error instanceof ResponseError
				? (await error.response.json()).code
				: undefined,
	),
);
