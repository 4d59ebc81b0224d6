// The console: the bar at the top, and below it what is wrong with the connection, the view, messages.
import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Api } from "./api/api.ts";
import type { Connection } from "./api/connection.ts";
import { hasCode, toMessage } from "./api/error.ts";
import { type CatalogueProps, CatalogueView } from "./catalogue/view.tsx";
import type { KeysState } from "./keys/state.ts";
import { KeysView } from "./keys/view.tsx";
import { Button } from "./parts/fields.tsx";
import { usePolling } from "./parts/poll.tsx";
import { ToastList, type Toasts } from "./parts/toasts.tsx";
import { type ViewName, views, viewTitles } from "./route.ts";
import { type Session, sessionCheckMs } from "./sign-in/session.ts";
import { SignInDialog, SignInPage } from "./sign-in/sign-in.tsx";
import { StatusView } from "./status/view.tsx";
import { type TrafficProps, TrafficView } from "./traffic/view.tsx";

export interface ConsoleParts {
	readonly api: Api;
	readonly connection: Connection;
	readonly session: Session;
	readonly route: ReadonlySignal<ViewName>;
	readonly toasts: Toasts;
	readonly catalogue: CatalogueProps;
	readonly keys: KeysState;
	readonly traffic: TrafficProps;
	readonly exampleKey: string;
	/** What the operator types to make a link that signs in, and to make a backup. */
	readonly linkCommand: string;
	readonly backupCommand: string;
	/** What is to be done before somebody signs out. */
	readonly onSignOut: () => Promise<void>;
}

export function App(parts: ConsoleParts) {
	const { session, exampleKey, linkCommand } = parts;
	const signIn = { session, exampleKey, linkCommand };
	const state = session.state.value;
	return (
		<>
			<Banner {...parts} />
			{state.kind === "signed out" && (
				<SignInPage {...signIn} reason={state.reason} />
			)}
			{(state.kind === "signed in" || state.kind === "ended") && (
				<SignedIn {...parts} />
			)}
			{state.kind === "ended" && (
				<SignInDialog
					{...signIn}
					reason="Your session has ended. What you have typed is kept: sign in to go on."
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
	useEffect(() => {
		document.title = `${viewTitles[route.value]} · petstore`;
		// Tells screen readers which view is shown.
		if (!isFirst.current) main.current?.querySelector("h1")?.focus();
		isFirst.current = false;
	}, [route.value]);
	return (
		<>
			<main class="view" ref={main}>
				<View {...parts} />
			</main>
			<ToastList toasts={toasts} />
		</>
	);
}

function View(parts: ConsoleParts) {
	const { catalogue, keys, traffic } = parts;
	switch (parts.route.value) {
		case "catalogue":
			return <CatalogueView {...catalogue} />;
		case "keys":
			return <KeysView state={keys} />;
		case "traffic":
			return <TrafficView {...traffic} />;
		case "status":
			return <StatusView {...parts} />;
	}
}

/** Says that the service does not answer, and that the console tries again. */
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
						{toMessage(trouble.value)} Trying again …
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
				<Button class="minor" onClick={() => void signOut()}>
					Sign out
				</Button>
			</div>
		</>
	);
}
