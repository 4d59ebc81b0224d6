// Calls the service through the client of oapi-codegen.
package petstore

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"testing"
)

func TestCalls(t *testing.T) {
	withKey := WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		return nil
	})
	pets, err := NewClientWithResponses(os.Getenv("PETSTORE_URL"), withKey)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	categoryId, _ := strconv.ParseInt(os.Getenv("CATEGORY_ID"), 10, 64)
	petId, _ := strconv.ParseInt(os.Getenv("PET_ID"), 10, 64)
	limit, status := int32(10), Available

	listed, err := pets.ListPetsWithResponse(ctx, &ListPetsParams{Limit: &limit, Status: &status})
	if err != nil {
		t.Fatal(err)
	}
	added, err := pets.CreatePetWithResponse(ctx, nil, NewPet{Name: "Rex", CategoryId: categoryId})
	if err != nil {
		t.Fatal(err)
	}
	got, err := pets.GetPetWithResponse(ctx, petId, nil)
	if err != nil {
		t.Fatal(err)
	}
	missing, err := pets.GetPetWithResponse(ctx, 404, nil)
	if err != nil {
		t.Fatal(err)
	}
	report, _ := json.Marshal(map[string]any{
		"lists": listed.JSON200 != nil, "adds": added.JSON201 != nil, "gets": got.JSON200 != nil,
		"readsErrors": missing.JSON404 != nil && missing.JSON404.Code == "not_found",
		"read":        fmt.Sprintf("%d (%T)", got.JSON200.CategoryId, got.JSON200.CategoryId),
	})
	fmt.Println(string(report))
}
