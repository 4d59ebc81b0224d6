// The console: the bar at the top, and below it the banner, the view and messages.
import { useEffect, useRef } from "preact/hooks";
import { hasCode, toMessage } from "./api/error.ts";
import { Selection } from "./catalogue/selection.tsx";
import { CatalogueView } from "./catalogue/view.tsx";
import { categoriesRefreshMs } from "./categories/state.ts";
import { CategoriesView } from "./categories/view.tsx";
import { HistoryView } from "./history/view.tsx";
import { KeysView } from "./keys/view.tsx";
import { Button } from "./parts/fields.tsx";
import { usePolling } from "./parts/poll.tsx";
import { ToastList } from "./parts/toasts.tsx";
import { leaveReason, views } from "./route.ts";
import { sessionCheckMs } from "./sign-in/session.ts";
import { SignInDialog, SignInPage } from "./sign-in/sign-in.tsx";
import type { ConsoleParts } from "./state.ts";
import { StatusView } from "./status/view.tsx";

export function App(parts: ConsoleParts) {
	const state = parts.session.state.value;
	return (
		<>
			<Banner {...parts} />
			{state.kind === "signed out" && (
				<SignInPage {...parts} reason={state.reason} />
			)}
			{(state.kind === "signed in" || state.kind === "ended") && (
				<SignedIn {...parts} />
			)}
			{state.kind === "ended" && (
				<SignInDialog
					{...parts}
					reason="Your session has ended. Sign in to continue. The page keeps what you typed."
				/>
			)}
		</>
	);
}

function SignedIn(parts: ConsoleParts) {
	const { session, toasts, route } = parts;
	const main = useRef<HTMLElement>(null);
	const isFirst = useRef(true);
	usePolling(sessionCheckMs, () => session.check(), [session]);
	// All views show names of categories.
	usePolling(categoriesRefreshMs, parts.categories.load, [parts.categories]);
	useEffect(() => {
		document.title = `${views[route.value]} · petstore`;
		// Screen readers then say which view is shown.
		if (!isFirst.current) main.current?.querySelector("h1")?.focus();
		isFirst.current = false;
	}, [route.value]);
	return (
		<>
			<main class="view" ref={main}>
				<View {...parts} />
			</main>
			<footer class="dock">
				<ToastList toasts={toasts} />
				{route.value === "catalogue" && <Selection {...parts} />}
			</footer>
		</>
	);
}

function View(parts: ConsoleParts) {
	switch (parts.route.value) {
		case "catalogue":
			return <CatalogueView {...parts} />;
		case "categories":
			return <CategoriesView {...parts} />;
		case "history":
			return <HistoryView {...parts} />;
		case "keys":
			return <KeysView {...parts} />;
		case "status":
			return <StatusView {...parts} />;
	}
}

function Banner({ connection: { trouble, retry } }: ConsoleParts) {
	const isOffline = hasCode(trouble.value, "network");
	return (
		<div role="alert">
			{trouble.value !== undefined && (
				<div class="banner" data-kind={isOffline ? "no connection" : undefined}>
					<p>
						<b>
							{isOffline ? "No connection." : "The service is unavailable."}
						</b>{" "}
						{toMessage(trouble.value)} Retrying …
					</p>
					<Button class="minor" onClick={retry}>
						Try now
					</Button>
				</div>
			)}
		</div>
	);
}

/** Beside the name of the service: the views, who is signed in, and signing out. */
export function Bar(parts: ConsoleParts) {
	const { session, route, exampleKey } = parts;
	const state = session.state.value;
	if (state.kind !== "signed in") return null;
	// The key of a sandbox has no name, because it is not stored. Elsewhere a session without a name comes from a link.
	const unnamed = exampleKey === "" ? "by link" : "";
	return (
		<>
			<nav class="views" aria-label="Views">
				{Object.entries(views).map(([view, title]) => (
					<a
						key={view}
						href={`#${view}`}
						aria-current={route.value === view ? "page" : undefined}
					>
						{title}
					</a>
				))}
			</nav>
			<div class="who">
				<bdi title="You are signed in">{state.person ?? unnamed}</bdi>
				<Button class="minor" onClick={() => void signOut(parts)}>
					Sign out
				</Button>
			</div>
		</>
	);
}

async function signOut({ session, toasts }: ConsoleParts) {
	try {
		await session.signOut();
		leaveReason("You are signed out.");
		// The page must not keep any part of the catalogue.
		location.reload();
	} catch (error) {
		toasts.fail(toMessage(error));
	}
}
