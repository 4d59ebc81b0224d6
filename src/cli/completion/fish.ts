// The completion script for fish.
import type { Completed, Flag } from "./completed.ts";

export function toFishScript(commands: readonly Completed[]): string {
	const inner = commands.slice(1).map(({ path }) => `'${path}'`);
	return `# Completes the command line of petstore in fish.
function __petstore_at
	set -l command petstore
	for word in (commandline -opc)
		switch "$command $word"
			case ${inner.join(" ")}
				set command "$command $word"
		end
	end
	test "$command" = "$argv[1]"
end
complete -c petstore -f
${commands.flatMap(toLines).join("\n")}
`;
}

function toLines({ path, words, flags }: Completed): string[] {
	const rule = `complete -c petstore -n "__petstore_at '${path}'"`;
	return [
		...words.map(
			({ text, description }) => `${rule} -a ${text} -d ${quote(description)}`,
		),
		...flags.map(
			(flag) => `${rule} ${toParameters(flag)} -d ${quote(flag.description)}`,
		),
	];
}

function toParameters({ names, value }: Flag): string {
	const flags = names.map((name) =>
		name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
	);
	return [...flags, ...toValueParameters(value)].join(" ");
}

/** `-x` and `-r` say that a value follows, `-F` that it is the name of a file. */
function toValueParameters(value: Flag["value"]): string[] {
	if (value === "none") return [];
	if (value === "file") return ["-r", "-F"];
	return value === "text" ? ["-x"] : ["-x", "-a", quote(value.join(" "))];
}

function quote(text: string): string {
	return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
