// The next value of the counter of PostgreSQL, which is an id or a position in the feed.

/**
 * A transaction gets its xid before it draws a value: PostgreSQL evaluates the condition of a CASE first. The feed relies on that
 * (docs/design/feed.md). The condition is evaluated once per statement, since it depends on no row.
 */
export const nextId =
	"CASE WHEN (SELECT pg_current_xact_id()) IS NOT NULL THEN nextval('petstore.pet_ids') END";
