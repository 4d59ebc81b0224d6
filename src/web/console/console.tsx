// The script of the console: the bar, the view, messages and dialogs; or the sign-in.
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { get, reload } from "../ui/api.ts";
import { Button } from "../ui/dialog.tsx";
import { type Asked, AskedDialog, ask } from "../ui/form.tsx";
import { Trouble, useResource } from "../ui/resource.tsx";
import { show } from "../ui/show.ts";
import { attempt, Toasts } from "../ui/toasts.tsx";
import { CatalogueView, toAdding } from "./catalogue.tsx";
import {
	CategoriesView,
	CategoryNames,
	makingCategory,
} from "./categories.tsx";
import { HistoryView } from "./history.tsx";
import { aimedUntil } from "./pet-table.tsx";
import { place, type View, views } from "./route.ts";
import { Selection } from "./selection.tsx";
import { KeysView, makingKey } from "./service/keys.tsx";
import { StatusView } from "./service/status.tsx";
import {
	checkSession,
	exampleKey,
	SignInDialog,
	SignInPage,
	session,
	signOut,
} from "./session.tsx";

/** How often the console checks its session, so that it notices a sign-in in another tab. */
const sessionCheckMs = 15_000;

/** Each with the form that its first button opens. */
const parts: Record<View, readonly [ComponentType, (() => Asked)?]> = {
	catalogue: [CatalogueView, toAdding],
	categories: [CategoriesView, () => makingCategory],
	history: [HistoryView],
	keys: [KeysView, () => makingKey],
	status: [StatusView],
};

function App() {
	const { kind } = session.value;
	const isSignedIn = kind === "signed in" || kind === "ended";
	useResource(checkSession, "", sessionCheckMs);
	return (
		<>
			{isSignedIn ? <SignedIn /> : <Trouble />}
			{kind === "signed out" && <SignInPage />}
			{kind === "ended" && <SignInDialog />}
		</>
	);
}

function SignedIn() {
	const isFirst = useRef(true);
	const { view } = place.value;
	const [View, toForm] = parts[view];
	const form = toForm?.();
	useFeed();
	useEffect(() => {
		document.title = `${views[view]} · petstore`;
		// Screen readers then say which view is shown. The bar would cover its title.
		if (!isFirst.current) {
			document.querySelector("h1")?.focus();
			scrollTo(0, 0);
		}
		isFirst.current = false;
	}, [view]);
	return (
		<>
			<main class="view">
				<div class="head">
					<h1 tabIndex={-1}>{views[view]}</h1>
					{form && (
						<Button onClick={() => toForm && ask(toForm())}>
							{form.title}
						</Button>
					)}
				</div>
				<View key={view} />
			</main>
			<footer class="dock">
				<Trouble />
				<Toasts />
				{view === "catalogue" && <Selection />}
			</footer>
			<AskedDialog />
			{view !== "categories" && <CategoryNames />}
		</>
	);
}

/** Reads everything again when somebody has added, changed or removed an animal, but moves no animal that the user is about to click. */
function useFeed(): void {
	const position = useRef<bigint | undefined>(undefined);
	useResource(async (ending) => {
		const { next } = await get<{ next: bigint }>("/changes?after=now", ending);
		const isAiming = performance.now() < aimedUntil.value;
		if (next === position.current || isAiming) return;
		position.current = next;
		reload();
	});
}

/** Beside the name of the service: the views, who is signed in, and signing out. */
function Bar() {
	const { kind, person } = session.value;
	if (kind !== "signed in") return null;
	// The key of a sandbox has no name, because it is not stored. Elsewhere a session without a name comes from a link.
	const unnamed = exampleKey === "" ? "by link" : "";
	return (
		<>
			<nav class="views" aria-label="Views">
				{Object.entries(views).map(([view, title]) => (
					<a
						key={view}
						href={`#${view}`}
						aria-current={place.value.view === view ? "page" : undefined}
					>
						{title}
					</a>
				))}
			</nav>
			<div class="who">
				<bdi title="You are signed in">{person ?? unnamed}</bdi>
				<Button
					class="minor"
					onClick={() => void attempt("Could not sign out.", signOut)}
				>
					Sign out
				</Button>
			</div>
		</>
	);
}

show(Bar, ".rest");
show(App, ".console");
