"""Calls the service through the client of openapi-python-client."""

import json
import os

from pet_store_client import AuthenticatedClient
from pet_store_client.api.pets import create_pet, get_pet, list_pets
from pet_store_client.models import Error, NewPet, Pet, PetStatus

client = AuthenticatedClient(os.environ["PETSTORE_URL"], os.environ["KEY"])
listed = list_pets.sync(client=client, limit=10, status=PetStatus.AVAILABLE)
new_pet = NewPet(name="Rex", category_id=int(os.environ["CATEGORY_ID"]))
added = create_pet.sync(client=client, body=new_pet)
got = get_pet.sync(int(os.environ["PET_ID"]), client=client)
missing = get_pet.sync(404, client=client)
read = got.category_id
print(
    json.dumps(
        {
            "lists": isinstance(listed, list),
            "adds": isinstance(added, Pet),
            "gets": isinstance(got, Pet),
            "readsErrors": isinstance(missing, Error) and missing.code == "not_found",
            "read": f"{read} ({type(read).__name__})",
        }
    )
)
