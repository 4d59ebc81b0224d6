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
	/** Says in one sentence why it cannot be measured on this machine. */
	readonly findObstacle?: () => string | undefined;
	/** The trials that it is measured on, if it cannot do all of them. */
	readonly trials?: readonly string[];
	/** The warm-up that it needs, if longer than for others. */
	readonly warmUpSeconds?: number;
	/** Whether it sends replies of our service, which must be recorded first. */
	readonly repeats?: true;
	/** The keys that it accepts, if they are not our clients' keys. */
	readonly keys?: readonly string[];
	/** Returns a key that it accepts, if it makes its keys itself. */
	readonly signIn?: (origin: string) => Promise<string>;
	/** The equivalent request, if it differs from ours. */
	readonly translate?: (template: Template) => Template;
	/** Runs before the process is started. */
	readonly prepare?: (options: ServerOptions) => void;
	readonly command: (options: ServerOptions) => readonly [string, ...string[]];
}

/** The options of a target's process. */
export interface ServerOptions {
	readonly port: number;
	/** An empty folder that no other process uses. */
	readonly folder: string;
	/** The URL or the path of its catalogue. */
	readonly catalogue: string;
	/** The path of the recorded replies. */
	readonly replies: string;
}
