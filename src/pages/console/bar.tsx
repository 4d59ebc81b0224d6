// The bar at the top, beside the name of the service: the views, who is signed in, and signing out.

import { toMessage } from "./api/error.ts";
import type { ConsoleParts } from "./app.tsx";
import { views, viewTitles } from "./route.ts";

export function Bar(parts: ConsoleParts) {
	const { session, route, toasts, exampleKey, onSignOut } = parts;
	const state = session.state.value;
	if (state.kind !== "signed in") return null;
	const signOut = () =>
		onSignOut().catch((error) => toasts.fail(toMessage(error)));
	return (
		<>
			<nav class="views" aria-label="Views">
				{views.map((view) => (
					<a
						key={view}
						href={`#${view}`}
						aria-current={route.value === view ? "page" : undefined}
					>
						{viewTitles[view]}
					</a>
				))}
			</nav>
			<div class="who">
				{state.keyName !== undefined ? (
					<span title="The key that you are signed in with">
						{state.keyName}
					</span>
				) : (
					// The key of a sandbox is not stored, so it has no name. Elsewhere only a link makes a session without a key.
					exampleKey === "" && (
						<span title="You are signed in with a link">by link</span>
					)
				)}
				<button type="button" class="minor" onClick={() => void signOut()}>
					Sign out
				</button>
			</div>
		</>
	);
}
