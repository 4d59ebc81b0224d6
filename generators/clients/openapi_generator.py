"""Calls the service through the client of openapi-generator's python, which raises an error that was read."""

import json
import os

import openapi_client
from openapi_client.exceptions import NotFoundException

configuration = openapi_client.Configuration(access_token=os.environ["KEY"])
pets = openapi_client.PetsApi(openapi_client.ApiClient(configuration))
listed = pets.list_pets(limit=10, status=openapi_client.PetStatus.AVAILABLE)
new_pet = openapi_client.NewPet(name="Rex", category_id=int(os.environ["CATEGORY_ID"]))
added = pets.create_pet(new_pet)
got = pets.get_pet(int(os.environ["PET_ID"]))
try:
    pets.get_pet(404)
    code = None
except NotFoundException as error:
    code = error.data.code
read = got.category_id
print(
    json.dumps(
        {
            "lists": isinstance(listed, list),
            "adds": isinstance(added, openapi_client.Pet),
            "gets": isinstance(got, openapi_client.Pet),
            "readsErrors": code == "not_found",
            "read": f"{read} ({type(read).__name__})",
        }
    )
)
