// `petstore import`: adds the animals of a file, all of them or none.
import { type Command, InvalidArgumentError, Option } from "commander";
import { OperatorError } from "../../contract/errors.ts";
import { formatOption, toKind } from "../formats.ts";
import { watchInterruption } from "../interruption.ts";
import { databaseOption } from "../options.ts";
import type { ImportFlags } from "./options.ts";
import { runImport } from "./run.ts";

export function addImport(program: Command): void {
	const command = program
		.command("import")
		.description("add the animals of a file, all of them or none")
		.argument("<file>", "NDJSON or CSV, also compressed by gzip; - is stdin")
		.addOption(formatOption)
		.option("--keep-ids", "keep the ids of the file; none may be taken")
		.addOption(
			new Option(
				"--import-id <text>",
				"names this import: with the same text it is done only once",
			).argParser(toImportId),
		)
		.option(
			"--skip-bad <file>",
			"add the good lines, and write the bad ones here",
		)
		.option("--dry-run", "check the file and add nothing")
		.option("--quiet", "show no progress")
		.addOption(databaseOption)
		.addHelpText(
			"after",
			`
Each line is held to the rules of a new animal. All errors are told by line;
nothing is added unless --skip-bad is given. CSV needs a header line with the
names of its columns: name, categoryId, and optionally status and id.

Examples:
  petstore import animals.csv --dry-run
  petstore import animals.ndjson.gz --import-id monday
  petstore import animals.csv --skip-bad bad.csv
  petstore export - | petstore import - --keep-ids --database sqlite:new.db`,
		)
		.action((file: string) =>
			importFile(file, command.optsWithGlobals<ImportFlags>()),
		);
}

async function importFile(file: string, flags: ImportFlags): Promise<void> {
	const { skipBad } = flags;
	const kind = toKind(file, flags.format);
	if (skipBad === file)
		throw new OperatorError("--skip-bad must name another file.", 2);
	if (skipBad?.endsWith(".gz"))
		throw new OperatorError(
			"--skip-bad must not end in .gz: bad lines are written as they are.",
			2,
		);
	const { signal, ignore } = watchInterruption("nothing was added");
	await runImport({ file, ...kind }, flags, signal).finally(ignore);
}

function toImportId(text: string): string {
	if (/^[^\p{C}\p{Z}]{1,128}$/u.test(text)) return text;
	throw new InvalidArgumentError("It must be 1 to 128 visible characters.");
}
