// The call by our own client, for the operations that it has. The others are as in JavaScript.
import { toJavaScript } from "./javascript.ts";
import { toLiteral, typescript } from "./literal.ts";
import type { SnippetRequest } from "./request.ts";

export function toTypeScript(request: SnippetRequest): string {
	const call = calls[request.operationId];
	if (call === undefined) return toJavaScript(request);
	const { base, key } = request;
	const keyCode =
		key === undefined ? 'process.env.KEY ?? ""' : JSON.stringify(key);
	return `import { createClient } from "petstore-service/client";

const store = createClient({
  url: "${base}",
  key: ${keyCode},
});

// id and categoryId are bigint, so that no digit is lost.
${call(request)}`;
}

const calls: Readonly<Record<string, (request: SnippetRequest) => string>> = {
	listPets: ({ parameters }) =>
		`// All pages, one after the other.
for await (const pet of store.listPets(${toOptions(parameters)})) {
  console.log(pet);
}`,
	createPet: ({ body }) =>
		`const pet = await store.createPet(${toLiteral(body, typescript)});
console.log(pet);`,
	getPet: ({ parameters }) =>
		`const pet = await store.getPet(${toLiteral(parameters.get("petId"), typescript)});
console.log(pet);`,
};

function toOptions(parameters: SnippetRequest["parameters"]): string {
	if (parameters.size === 0) return "";
	// A limit is a number and not an id.
	const style = { ...typescript, integer: String };
	return toLiteral(Object.fromEntries(parameters), style);
}
