// A target: a server that is measured, and how it is started.
import type { Template } from "./trials.ts";

export interface Target {
	readonly name: string;
	readonly description: string;
	/** Where it stores its animals. */
	readonly storage: "sqlite" | "postgres" | "json" | "pocketbase" | "none";
	readonly runsOnNode?: true;
	/** The default is `/v1`. */
	readonly basePath?: string;
	/** How many cores its processes may use. The default is 1. */
	readonly cores?: number;
	/** How many processes answer requests, if there are several. Their use is added up. */
	readonly workers?: number;
	/** Says in one sentence why it cannot be measured on this machine. */
	readonly findObstacle?: () => string | undefined;
	/** The trials that it is measured on, if it cannot do all of them. */
	readonly trials?: readonly string[];
	/** How long it must be loaded before it is as fast as it gets, if that is longer than for others. */
	readonly warmUpSeconds?: number;
	/** Whether it sends replies of our service, which must be recorded first. */
	readonly repeats?: true;
	/** The keys that it accepts, if they are not those of the clients of our service. */
	readonly keys?: readonly string[];
	/** Returns a key that it accepts, if it makes its keys itself. */
	readonly signIn?: (origin: string) => Promise<string>;
	/** The request by which it does the same, if that is another one than ours. */
	readonly translate?: (template: Template) => Template;
	/** Runs before the process is started. */
	readonly prepare?: (options: ServerOptions) => void;
	readonly command: (options: ServerOptions) => readonly [string, ...string[]];
}

/** What the process of a target is given. */
export interface ServerOptions {
	readonly port: number;
	/** An empty folder that no other process uses. */
	readonly folder: string;
	/** The URL or the path of its catalogue. */
	readonly catalogue: string;
	/** The path of the recorded replies. */
	readonly replies: string;
}
