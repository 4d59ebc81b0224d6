// Calls the service through the client of openapi-generator's typescript-fetch, which throws the reply if it is refused.
import { categoryId, key, petId, report } from "./given.ts";
import { Configuration, PetStatus, PetsApi } from "./petstore";

const pets = new PetsApi(
	new Configuration({ accessToken: key, fetchApi: fetch }),
);
report(
	await pets.listPets({ limit: 10, status: PetStatus.Available }),
	await pets.createPet({
		newPet: { name: "Rex", categoryId: Number(categoryId) },
	}),
	await pets.getPet({ petId: Number(petId) }),
);
