// The tests that are likely to catch a fault, by the module of the fault. They run before the whole suite, which takes minutes. A wrong or
// missing list only costs time.
import type { Variant } from "../../test/harness/variant.ts";

export function toLikelyTests({ module }: Variant): readonly string[] {
	return likelyTests[module] ?? [];
}

export const likelyTests: Readonly<Record<string, readonly string[]>> = {
	"src/domain/api-key.ts": ["test/http/secrets.slow.test.ts"],
	"src/domain/version.ts": [
		"test/store/versions.test.ts",
		"test/operator/pets.test.ts",
	],
	"src/http/app.ts": ["test/http/secrets.slow.test.ts"],
	"src/auth/keys.ts": ["test/auth/authentication.test.ts"],
	"src/http/body.ts": ["test/v1/conformance.test.ts"],
	"src/http/rate-limit.ts": ["test/http/rate-limit.test.ts"],
	"src/http/operations.ts": ["test/v1/changes.test.ts"],
	"src/http/reply.ts": ["test/v1/changes.test.ts"],
	"src/auth/sessions.ts": [
		"test/operator/access.test.ts",
		"test/operator/sessions.test.ts",
	],
	"src/auth/site.ts": [
		"test/operator/access.test.ts",
		"test/operator/sessions.test.ts",
	],
	"src/limits.ts": ["test/auth/authentication.test.ts"],
	"src/operator/sessions.ts": [
		"test/operator/sessions.test.ts",
		"test/operator/access.test.ts",
	],
	"src/v1/add.ts": ["test/v1/changes.test.ts"],
	"src/http/probes.ts": ["test/cli/serve.test.ts"],
	"src/store/feed.ts": [
		"test/store/feed.slow.test.ts",
		"test/store/archive.test.ts",
	],
	"src/store/postgres/archive/archive.ts": ["test/store/archive.test.ts"],
	"src/store/postgres/connection.ts": [
		"test/store/postgres-servers.slow.test.ts",
	],
	"src/store/postgres/database.ts": [
		"test/store/change-faults.test.ts",
		"test/store/changes.test.ts",
		"test/store/keys.test.ts",
		"test/store/postgres.test.ts",
		"test/store/versions.test.ts",
	],
	"src/store/postgres/feed/horizon.ts": ["test/store/feed-postgres.test.ts"],
	"src/store/postgres/feed/epoch.ts": ["test/store/feed-postgres.test.ts"],
	"src/store/sessions.ts": [
		"test/operator/sessions.test.ts",
		"test/store/sessions.test.ts",
	],
	"src/store/sqlite/archive/archive.ts": ["test/store/versions.test.ts"],
	"src/store/sqlite/database.ts": ["test/store/sqlite.test.ts"],
	"src/store/sqlite/feed/feed.ts": [
		"test/store/feed.slow.test.ts",
		"test/store/archive.test.ts",
		"test/store/versions.test.ts",
	],
	"src/store/archive/import.ts": ["test/store/import.test.ts"],
	"src/store/keys.ts": [
		"test/store/keys.test.ts",
		"test/operator/keys.test.ts",
	],
	"src/store/queue/page-cache.ts": ["test/v1/changes.test.ts"],
	"src/store/sqlite/requests/pet-transactions.ts": [
		"test/store/changes.test.ts",
	],
};
