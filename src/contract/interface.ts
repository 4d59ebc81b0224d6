// An interface of the service as data. Its surface and its OpenAPI document are made from it.
import type { Operation } from "./operation.ts";

export interface Interface<OperationId extends string = string> {
	/** What the paths of its operations begin with. */
	readonly prefix: string;
	readonly title: string;
	readonly version: string;
	readonly summary: string;
	readonly description: string;
	/** How a caller says who it is. */
	readonly authentication: string;
	/** The groups of its operations, with what each is about. */
	readonly tags: Readonly<Record<string, string>>;
	readonly operations: Readonly<Record<OperationId, Operation>>;
	readonly schemas: Readonly<Record<string, object>>;
	/** Whether an interface document describes it. Then what that document does not have is marked `x-addition`. */
	readonly marksAdditions: boolean;
}
