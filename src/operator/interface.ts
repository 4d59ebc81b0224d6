// `/operator/v1`, for people who run a catalogue, and for their programs.
import type { Authentication } from "../auth/sessions.ts";
import { storedPetType } from "../domain/pet/pet-types.ts";
import { whole } from "../domain/types/scalar.ts";
import { optional, withDescription } from "../domain/types/type.ts";
import { toDocumentRoute, toRoutes } from "../http/operations.ts";
import { operatorHeaders, unstoredHeaders } from "../http/reply.ts";
import { openSurface, type Surface } from "../http/surface.ts";
import { errorOf } from "../interface/errors.ts";
import type { DocumentOptions } from "../interface/openapi.ts";
import type { Interface } from "../interface/operation.ts";
import {
	CreatedCategories,
	FileErrors,
	IgnoredMembers,
} from "../interface/replies.ts";
import { backups } from "./backups.ts";
import { categories } from "./categories.ts";
import { edits } from "./edits.ts";
import { changes } from "./feed.ts";
import { history } from "./history.ts";
import { keys } from "./keys.ts";
import {
	type OperatorResource,
	type OperatorService,
	operatorPrefix,
} from "./operation.ts";
import { pets } from "./pets.ts";
import { createSessions, sessions } from "./sessions.ts";
import { status } from "./status.ts";

const resources: readonly OperatorResource[] = [
	pets,
	categories,
	history,
	edits,
	changes,
	keys,
	status,
	backups,
];

const howToGetKey =
	"`petstore keys create --name NAME --scope operator` makes one.";

const counted = optional(
	whole("Of a dry run: animals on lines without errors."),
);

/** The members that only some errors have. */
const ofSome = {
	added: counted,
	changed: counted,
	unchanged: counted,
	createdCategories: optional(
		withDescription(CreatedCategories, "Of a dry run: as in its reply."),
	),
	errors: optional(withDescription(FileErrors, "Only with `invalid_file`.")),
	ignored: optional(withDescription(IgnoredMembers, "As in the reply.")),
	index: optional(whole("Only of a batch: the entry that is wrong, from 0.")),
	pet: optional(withDescription(storedPetType, "Of a 412: as it is now.")),
};

export const operator: Interface = {
	prefix: operatorPrefix,
	title: "Pet Store for operators",
	version: "1.0.0",
	summary:
		"Run a catalogue: change animals, make keys, see what the service does.",
	description:
		"Every operation needs an API key with the scope `operator`, or a session of the console. For `listChanges` the scope `read` suffices. " +
		"Errors are as in the interface of the catalogue.",
	howToGetKey,
	authentication: `An API key with the scope \`operator\` is the bearer token. ${howToGetKey}`,
	resources: [...resources, sessions],
	error: errorOf(ofSome),
	marksAdditions: false,
};

/** The operations, those that need no key, and the OpenAPI document, which needs none either. None of them has CORS headers. */
export function createOperator(
	service: OperatorService,
	{ byKey, bySession, site }: Authentication,
	document: DocumentOptions,
): readonly Surface[] {
	return [
		{
			prefix: operatorPrefix,
			authenticate: bySession.authenticate,
			headers: unstoredHeaders,
			routes: toRoutes(operatorPrefix, unstoredHeaders, resources, service),
		},
		createSessions({
			sessions: service.store.sessions,
			identify: byKey.identify,
			authentication: bySession,
			site,
		}),
		{
			...noOperator,
			routes: [
				toDocumentRoute("/openapi.json", operatorHeaders, operator, document),
			],
		},
	];
}

const noOperator: Surface = {
	...openSurface,
	headers: operatorHeaders,
	prefix: "/operator",
};

/** What other addresses have instead. Their 404 has no CORS headers: no page may learn which addresses operators use. */
export const withoutOperator: readonly Surface[] = [
	noOperator,
	{ ...noOperator, prefix: "/metrics" },
];
