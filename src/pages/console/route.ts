// Which view is shown: the fragment of the address says so, so that the browser's back button works.
import { type ReadonlySignal, signal } from "@preact/signals";
import { hasLink } from "./sign-in/link.ts";

export const views = ["catalogue", "keys", "traffic", "status"] as const;
export type ViewName = (typeof views)[number];

export const viewTitles: Readonly<Record<ViewName, string>> = {
	catalogue: "Catalogue",
	keys: "Keys",
	traffic: "Traffic",
	status: "Status",
};

export function createRoute(): ReadonlySignal<ViewName> {
	const route = signal(toView(location.hash));
	addEventListener("hashchange", () => {
		// A link that was opened in this tab is taken as at the start of the page.
		if (hasLink()) location.reload();
		route.value = toView(location.hash);
	});
	return route;
}

function toView(hash: string): ViewName {
	return views.find((view) => hash === `#${view}`) ?? "catalogue";
}
