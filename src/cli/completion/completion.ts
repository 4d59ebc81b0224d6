// `petstore completion`: a script that lets a shell complete commands, flags and their values.
import { Argument, type Command } from "commander";
import { print } from "../print.ts";
import { toBashScript } from "./bash.ts";
import { type Completed, toCompleted, withHelp } from "./completed.ts";
import { toFishScript } from "./fish.ts";
import { toZshScript } from "./zsh.ts";

export function addCompletion(program: Command): void {
	program
		.command("completion")
		.addArgument(
			new Argument("<shell>", "the shell to print it for").choices(
				Object.keys(scripts),
			),
		)
		.description("print a script for Tab completion in a shell")
		.addHelpText(
			"after",
			`
Add one of these lines to your shell's startup file:
  bash  ~/.bashrc                   source <(petstore completion bash)
  zsh   ~/.zshrc, after compinit    source <(petstore completion zsh)
  fish  ~/.config/fish/config.fish  petstore completion fish | source

A shell completes only commands that are on its PATH: "petstore", not
"npx petstore".`,
		)
		.action((name: string) => {
			print(scripts[name]?.(withHelp(toCompleted(program))) ?? "");
		});
}

const scripts: Readonly<
	Record<string, (commands: readonly Completed[]) => string>
> = {
	bash: toBashScript,
	zsh: toZshScript,
	fish: toFishScript,
};
