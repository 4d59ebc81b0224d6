// The target of a scenario: a command line of the service, and a folder for its files.

export interface Target {
	/** The command line of this project, or of a copy with a planted fault. */
	readonly program: string;
	/** A folder that no other scenario uses. */
	readonly folder: string;
}

/** The PETSTORE_API_KEY of every service in a scenario. */
export const apiKey = "a-key-known-to-the-faults";
