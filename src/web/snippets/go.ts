// The request with the standard library of Go. Numbers keep their digits.
import {
	type ReplyReaders,
	type SnippetRequest,
	toExpression,
} from "./request.ts";

export function toGo(request: SnippetRequest): string {
	const { method, url, headers, bodyText, reply, fileName } = request;
	const body =
		bodyText === undefined
			? "nil"
			: `strings.NewReader(${toExpression(bodyText, inBackticks)})`;
	const code = `func main() {
	request, err := http.NewRequest("${method}", "${url}", ${body})
	if err != nil {
		panic(err)
	}
${headers.map(toHeader).join("")}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
${readers[reply](fileName)}
}`;
	const used = packages.filter((name) =>
		new RegExp(`\\b${name.replace(/^.*\//, "")}\\.[A-Z]`).test(code),
	);
	return `package main

import (
${used.map((name) => `\t"${name}"`).join("\n")}
)

${code}`;
}

const packages = ["encoding/json", "fmt", "io", "net/http", "os", "strings"];

function toHeader([name, value]: readonly [string, string]): string {
	return `\trequest.Header.Set("${name}", ${toExpression(value, inQuotes)})\n`;
}

const joined = {
	variable: (name: string) => `os.Getenv("${name}")`,
	join: "+",
};

const inQuotes = { ...joined, quote: (text: string) => JSON.stringify(text) };

/** A raw string has no escapes, but it cannot have a backtick. */
const inBackticks = {
	...joined,
	quote: (text: string) =>
		text.includes("`") ? JSON.stringify(text) : `\`${text}\``,
};

const readers: ReplyReaders = {
	nothing: () => "\tfmt.Println(response.Status)",
	cookie: () =>
		'\tfmt.Println(response.Status, response.Header.Get("Set-Cookie"))',
	text: () => `	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		panic(err)
	}`,
	file: (name) => `
	file, err := os.Create("${name}")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := io.Copy(file, response.Body); err != nil {
		panic(err)
	}
	fmt.Println(response.Status)`,
	json: () => `
	// Without UseNumber every number becomes a float64, which rounds above 2^53.
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	var reply any
	if err := decoder.Decode(&reply); err != nil {
		panic(err)
	}
	fmt.Println(response.Status, reply)`,
};
