// The view and its parameters in the address, so that a reload, the back button and a sent address show the same.

import { signal } from "@preact/signals";
import { toQuery } from "../../domain/text.ts";
import { mayDiscard } from "../ui/typed.ts";

export const views = {
	catalogue: "Catalogue",
	categories: "Categories",
	history: "History",
	keys: "Keys",
	status: "Status",
};

export type View = keyof typeof views;
type Query = Readonly<Partial<Record<string, string>>>;

/** A link of `petstore console`: browsers do not send the fragment with its token. */
const linkHash = /^#link=(.+)$/;

/** The token of a sign-in link. It leaves the address bar and the history at once, so that it is not copied or seen there. */
export const linkToken = linkHash.exec(location.hash)?.[1];
if (linkToken !== undefined) history.replaceState(null, "", location.pathname);

export const place = signal(read());

function read() {
	const [path = "", text] = location.hash.replace(/^#\/?/, "").split("?");
	const query: Query = Object.fromEntries(new URLSearchParams(text));
	const view: View = isView(path) ? path : "catalogue";
	return { view, query };
}

function isView(name: string): name is View {
	return Object.hasOwn(views, name);
}

addEventListener("hashchange", ({ oldURL }: HashChangeEvent) => {
	// A sign-in link that is opened in this tab needs a new page.
	if (linkHash.test(location.hash)) location.reload();
	else if (canLeave()) place.value = read();
	else history.pushState(null, "", oldURL);
});

/** Sets some parameters of the view, and drops empty ones. Adds a history entry, or `replaces` the current one. */
export function go(part: Query, replaces = false): void {
	const { view, query } = place.value;
	const text = toQuery({ ...query, ...part });
	const address = `#${view}${text && `?${text}`}`;
	history[replaces ? "replaceState" : "pushState"](null, "", address);
	place.value = read();
}

/** Asks if the drawer has unsaved input. */
export function canLeave(): boolean {
	return mayDiscard("drawer");
}
