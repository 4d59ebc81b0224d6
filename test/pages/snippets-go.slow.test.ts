// Every snippet of the reference works as printed in Go. All are compiled as one program, because each program takes a second.
import { test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toLanguages } from "../../src/web/snippets.ts";
import { expectWorking, type Program } from "./snippet-runs.ts";

const isInstalled = Bun.which("go") !== null;
if (!isInstalled) console.warn("not run: go is not installed");

const program: Program = {
	toFile: (name) => `${name}.go`,
	toCode: (code, name) => code.replace("func main()", `func ${name}()`),
	write(folder, names) {
		writeFileSync(join(folder, "go.mod"), "module snippets\n\ngo 1.21\n");
		const lines = names.map((name) => `\trun("${name}", ${name})`);
		writeFileSync(join(folder, "main.go"), toMain(lines.join("\n")));
		return ["go", "run", "."];
	},
};

function toMain(calls: string): string {
	return `package main

import "fmt"

func run(name string, snippet func()) {
	defer func() {
		if problem := recover(); problem != nil {
			fmt.Println("failed", problem)
		}
	}()
	fmt.Println("== " + name)
	snippet()
	fmt.Println()
}

func main() {
${calls}
}
`;
}

test.skipIf(!isInstalled)(
	"runs the snippet of every operation as printed, in Go",
	async () => {
		const go = toLanguages("text").find(({ id }) => id === "go");
		if (go !== undefined) await expectWorking(go, program);
	},
	120_000,
);
