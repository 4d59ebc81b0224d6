// What the address says: which view is shown, so that the browser's back button works; a one-time link; and why nobody is signed in.
import { type ReadonlySignal, signal } from "@preact/signals";

export const viewTitles = {
	catalogue: "Catalogue",
	keys: "Keys",
	traffic: "Traffic",
	status: "Status",
} as const;

export type ViewName = keyof typeof viewTitles;

export const views = ["catalogue", "keys", "traffic", "status"] as const;

export function createRoute(): ReadonlySignal<ViewName> {
	const route = signal(toView(location.hash));
	addEventListener("hashchange", () => {
		// A link that was opened in this tab is taken as at the start of the page.
		if (linkHash.test(location.hash)) location.reload();
		route.value = toView(location.hash);
	});
	return route;
}

function toView(hash: string): ViewName {
	return views.find((view) => hash === `#${view}`) ?? "catalogue";
}

/** A link of `petstore console`: browsers do not send the fragment with its token. */
const linkHash = /^#link=(.+)$/;

/** Takes the token out of the address bar and the history, so that it is not copied or seen there. */
export function takeLink(): string | undefined {
	const [, token] = linkHash.exec(location.hash) ?? [];
	if (token !== undefined) history.replaceState(null, "", location.pathname);
	return token;
}

/** For the page that is loaded after signing out. The entry of the history keeps it, so that nothing is stored. */
export function leaveReason(reason: string): void {
	history.replaceState({ reason }, "");
}

/** Returns it once. */
export function takeReason(): string | undefined {
	const state: unknown = history.state;
	if (typeof state !== "object" || state === null || !("reason" in state))
		return undefined;
	history.replaceState(null, "");
	return typeof state.reason === "string" ? state.reason : undefined;
}
