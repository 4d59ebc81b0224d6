// The request by Go's standard library, with numbers that keep their digits.
import type { SnippetRequest } from "./request.ts";

export function toGo(request: SnippetRequest): string {
	const { method, url, key, bodyText, hasReplyBody } = request;
	const packages = [
		...(hasReplyBody ? ["encoding/json"] : []),
		"fmt",
		"net/http",
		...(key === undefined ? ["os"] : []),
		...(bodyText === undefined ? [] : ["strings"]),
	];
	const authorization =
		key === undefined ? '"Bearer "+os.Getenv("KEY")' : `"Bearer ${key}"`;
	const body =
		bodyText === undefined ? "nil" : `strings.NewReader(${quote(bodyText)})`;
	return `package main

import (
${packages.map((name) => `\t"${name}"`).join("\n")}
)

func main() {
	request, err := http.NewRequest("${method}", "${url}", ${body})
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", ${authorization})
${bodyText === undefined ? "" : '\trequest.Header.Set("Content-Type", "application/json")\n'}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
${hasReplyBody ? readReply : "\tfmt.Println(response.Status)"}
}`;
}

/** A raw string has no escapes, but it cannot have a backtick. */
function quote(text: string): string {
	return text.includes("`") ? JSON.stringify(text) : `\`${text}\``;
}

const readReply = `
	// Without UseNumber every number becomes a float64, which rounds above 2^53.
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	var reply any
	if err := decoder.Decode(&reply); err != nil {
		panic(err)
	}
	fmt.Println(response.Status, reply)`;
