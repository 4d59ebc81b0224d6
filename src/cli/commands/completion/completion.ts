// `petstore completion`: a script that lets a shell complete commands, flags and their values.
import { Argument, Command } from "@commander-js/extra-typings";
import { print } from "../../terminal/print.ts";
import { toCompleted, withHelp } from "./completed.ts";
import { toBashScript, toFishScript, toZshScript } from "./scripts.ts";

const scripts = { bash: toBashScript, zsh: toZshScript, fish: toFishScript };

export const completionCommand = new Command("completion")
	.addArgument(
		new Argument("<shell>", "the shell to print it for").choices([
			...(["bash", "zsh", "fish"] as const),
		]),
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
	.action((shell, _flags, command) => {
		const program = command.parent ?? command;
		print(scripts[shell](withHelp(toCompleted(program))));
	});
