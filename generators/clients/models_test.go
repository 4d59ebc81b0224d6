// Calls the service with the models of openapi-generator's Go. Its client needs golang.org/x/oauth2, so net/http sends them.
package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
)

func TestCalls(t *testing.T) {
	var listed []StorePet
	lists := call(t, "GET", "/pets?limit=10&status=available", nil, &listed)
	var added StorePet
	adds := call(t, "POST", "/pets", NewStoreNewPet("Rex", 9007199254740993), &added)
	var got StorePet
	gets := call(t, "GET", "/pets/"+os.Getenv("PET_ID"), nil, &got)
	report, _ := json.Marshal(map[string]any{
		"lists": lists, "adds": adds, "gets": gets,
		"read": fmt.Sprintf("%d (%T)", got.GetCategoryId(), got.GetCategoryId()),
	})
	fmt.Println(string(report))
}

// call tells whether the reply is a success that the model can hold.
func call(t *testing.T, method, path string, body, reply any) bool {
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, os.Getenv("PETSTORE_URL")+path, bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode < 300 && json.NewDecoder(response.Body).Decode(reply) == nil
}
