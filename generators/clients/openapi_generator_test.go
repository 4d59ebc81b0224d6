// Calls the service through the client of openapi-generator's Go.
package openapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"testing"
)

func TestCalls(t *testing.T) {
	pets := NewAPIClient(NewConfiguration()).PetsAPI
	ctx := context.WithValue(context.Background(), ContextAccessToken, os.Getenv("KEY"))
	categoryId, _ := strconv.ParseInt(os.Getenv("CATEGORY_ID"), 10, 64)
	petId, _ := strconv.ParseInt(os.Getenv("PET_ID"), 10, 64)

	_, _, listError := pets.ListPets(ctx).Limit(10).Status(AVAILABLE).Execute()
	_, _, addError := pets.CreatePet(ctx).PetToAdd(*NewPetToAdd("Rex", categoryId)).Execute()
	got, _, getError := pets.GetPet(ctx, petId).Execute()
	_, _, missing := pets.GetPet(ctx, 404).Execute()
	var refusal *GenericOpenAPIError
	var code string
	if errors.As(missing, &refusal) {
		if model, ok := refusal.Model().(Error); ok {
			code = model.GetCode()
		}
	}
	report, _ := json.Marshal(map[string]any{
		"lists": listError == nil, "adds": addError == nil, "gets": getError == nil,
		"readsErrors": code == "not_found",
		"read":        fmt.Sprintf("%d (%T)", got.GetCategoryId(), got.GetCategoryId()),
	})
	fmt.Println(string(report))
}
