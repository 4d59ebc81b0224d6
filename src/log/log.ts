// The log on stderr: JSON lines for programs, or text for people.
import { type Logger, pino, stdTimeFunctions } from "pino";
import { toFittingLine } from "./fitting-line.ts";
import type { LogFormat } from "./format.ts";
import { type Output, openStderr } from "./output.ts";
import { toText } from "./text.ts";

export interface LogOptions {
	/** With several workers, each line has the number of its worker. */
	readonly worker?: number | undefined;
	/** If not given: text on a terminal, JSON elsewhere. */
	readonly format?: LogFormat | undefined;
	/** Whether text on a terminal has colours. */
	readonly colours?: boolean;
}

export function createLog(
	options: LogOptions = {},
	output: Output = openStderr(),
): Logger {
	const { worker, format = output.isTerminal ? "text" : "json" } = options;
	const encode = format === "text" ? toTextEncoder(options, output) : toSame;
	return pino(
		{
			base: worker === undefined ? null : { worker },
			timestamp: stdTimeFunctions.isoTime,
			formatters: { level: (level) => ({ level }) },
		},
		{
			write(json) {
				const line = toFittingLine(json, encode, output.maxLineBytes);
				if (line !== undefined) output.write(line);
			},
		},
	);
}

/** Reads the JSON of pino, in which errors and other odd values are plain data already. */
function toTextEncoder(
	{ colours = false }: LogOptions,
	{ isTerminal }: Output,
): (json: string) => string {
	const style = { date: !isTerminal, colours: colours && isTerminal };
	return (json) => toText(JSON.parse(json), style);
}

function toSame(json: string): string {
	return json;
}
