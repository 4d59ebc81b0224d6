// The program that tries generators on the OpenAPI document. Only `npm run generators` installs and runs them.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { client, reports, runs } from "../../generators/judges.ts";
import { runTool } from "../../generators/run-tool.ts";
import { withTable } from "../../generators/table.ts";
import { type Tool, tools } from "../../generators/tools.ts";
import { root } from "../../harness/process.ts";

const adds = `curl -s "$PETSTORE_URL/pets" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"name":"Rex","categoryId":9007199254740992}' > added.json`;
const prints = `echo '{"lists":true,"adds":true,"gets":false,"readsErrors":true,"read":"1 (number)"}'`;

/** A tool that needs nothing from npm. */
const tiny: Tool = {
	name: "tiny",
	usage: "`tiny` 1.0.0",
	needs: ["curl"],
	command: "grep 3.0.3 openapi-3.0.json > petstore.txt",
	judge: client("grep 3.0.3 petstore.txt", `${adds} && ${prints}`),
	note: "It is tiny.",
};

describe("a tool", () => {
	test.each([
		[
			"is judged by what it generates, compiles and sends",
			tiny,
			{
				result:
					"It compiles; list works, add works, get is refused, an error is read.",
				int64: "sent as 9007199254740992, read as 1 (number)",
			},
		],
		[
			"is reported with the compiler's error if its code does not compile",
			{
				...tiny,
				judge: client("echo 'x.ts(1,2): error TS1' && false", "true"),
			},
			{ result: "It does not compile: x.ts(1,2): error TS1", int64: "" },
		],
		[
			"is quoted if it prints a report",
			{
				...tiny,
				command: "echo 'found 2 errors at http://127.0.0.1:8080/v1'",
				judge: reports(/(\d+) errors at (\S+)/, "$1 errors."),
			},
			{ result: "2 errors.", int64: "" },
		],
		[
			"is named with the version that it prints",
			{ ...tiny, judge: runs("echo 1.2.3") },
			{ result: "1.2.3 --version: it ends without an error.", int64: "" },
		],
		[
			"is not run if it needs a missing program",
			{ ...tiny, needs: ["no-such-program"] },
			{
				result: "Not run: `no-such-program` was not installed.",
				int64: "",
			},
		],
	])("%s", async (_behaviour, tool, outcome) => {
		expect(await runTool(tool)).toEqual(outcome);
	});
});

describe("the table of docs/generators.md", () => {
	const document = readFileSync(`${root}docs/generators.md`, "utf8");

	test("is written between its marks", () => {
		const outcome = { result: "It compiles.", int64: "read as 1|2" };
		const rows = [{ tool: tiny, outcome, day: "2026-01-31" }];
		const written = withTable(document, rows);
		expect(written).toContain(
			`\n| \`tiny\` 1.0.0 | 2026-01-31 | \`${tiny.command}\` | It compiles. | read as 1\\|2 | It is tiny. |\n<!-- /tools`,
		);
		expect(withTable(written, rows)).toBe(written);
		expect(() => withTable("", [])).toThrow("no marks");
	});

	test("is followed by the configuration of Schemathesis", () => {
		for (const file of ["schemathesis.toml", "schemathesis_hooks.py"])
			expect(document).toContain(
				`\n${readFileSync(`${root}generators/clients/${file}`, "utf8")}\`\`\`\n`,
			);
	});

	test("names only messages of the service in the hooks of Schemathesis", () => {
		const hooks = `${root}generators/clients/schemathesis_hooks.py`;
		const refusals = readFileSync(hooks, "utf8").matchAll(/^ {4}"(.+)",$/gm);
		const service = readdirSync(`${root}src`, { recursive: true })
			.map((path) => `${root}src/${path}`)
			.filter((path) => path.endsWith(".ts"))
			.map((path) => readFileSync(path, "utf8"))
			.join("");
		// Some messages begin with the name of the wrong value, which the code adds.
		const missing = [...refusals]
			.map(([, text = ""]) => text)
			.filter((text) => !service.includes(text))
			.filter((text) => !service.includes(text.replace(/^\S+ /, "")));
		expect(missing).toEqual([]);
	});

	const rows = document.split("\n").filter((line) => line.startsWith("| `"));
	const rowOf = ({ command }: Tool) =>
		rows.find((one) => one.includes(` | \`${command}\` | `));

	test("has a row for every tool with a version, and no row without a tool", () => {
		const versioned = tools.filter(({ usage }) => /\d/.test(usage));
		expect(versioned.filter((tool) => rowOf(tool) === undefined)).toEqual([]);
		expect(tools.filter(rowOf)).toHaveLength(rows.length);
	});

	test.each(tools.filter(rowOf))(
		"has the version, the command and the note of $name",
		(tool) => {
			const row = rowOf(tool);
			expect(row).toStartWith(`| ${tool.usage} | 20`);
			expect(row).toEndWith(` | ${tool.note} |`);
		},
	);
});
