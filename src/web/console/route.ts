// The state in the address, so that the back button works: the view and its content, or a one-time link. And why a user was signed out.
import { signal } from "@preact/signals";
import { toQuery } from "./api/pets.ts";

export const views = {
	catalogue: "Catalogue",
	categories: "Categories",
	history: "History",
	keys: "Keys",
	status: "Status",
};

/** Restores the old address unless the page can be left or a sign-in link was opened. Call it before other listeners. */
export function guardAddress(canLeave: () => boolean): void {
	addEventListener("hashchange", (event: HashChangeEvent) => {
		if (linkHash.test(location.hash) || canLeave()) return;
		event.stopImmediatePropagation();
		history.pushState(null, "", event.oldURL);
	});
}

export function createRoute() {
	addEventListener("hashchange", () => {
		// A link opened in this tab needs a new page.
		if (linkHash.test(location.hash)) location.reload();
	});
	return follow(toView);
}

function toView(): keyof typeof views {
	const [name = ""] = readPath();
	return isView(name) ? name : "catalogue";
}

function isView(name: string): name is keyof typeof views {
	return Object.hasOwn(views, name);
}

function follow<Value>(read: () => Value) {
	const followed = signal(read());
	addEventListener("hashchange", () => {
		followed.value = read();
	});
	return followed;
}

/** The segments of the address, without its query. */
function readPath(): readonly string[] {
	return location.hash.replace(/^#\/?|\?.*$/g, "").split("/");
}

export type Query = Readonly<Partial<Record<string, string>>>;
export type Place = ReturnType<typeof createPlace>;

/** The parameters of a view in the address. */
export function createPlace(view: keyof typeof views) {
	const query = signal(toView() === view ? readQuery() : {});
	addEventListener("hashchange", () => {
		if (toView() === view) query.value = readQuery();
	});
	return {
		query,
		/** Sets some parameters and drops empty ones. Adds a history entry, or `replaces` the current one. */
		go(part: Query, replaces = false): void {
			const text = toQuery({ ...query.peek(), ...part });
			const hash = `#${view}${text && `?${text}`}`;
			history[replaces ? "replaceState" : "pushState"](null, "", hash);
			query.value = readQuery();
		},
	};
}

function readQuery(): Query {
	const [, text = ""] = location.hash.split("?");
	return Object.fromEntries(new URLSearchParams(text));
}

/** A link of `petstore console`: browsers do not send the fragment with its token. */
const linkHash = /^#link=(.+)$/;

/** Takes the token out of the address bar and the history, so that it is not copied or seen there. */
export function takeLink(): string | undefined {
	const [, token] = linkHash.exec(location.hash) ?? [];
	if (token !== undefined) history.replaceState(null, "", location.pathname);
	return token;
}

/** Tells the next page why it signed out, in the history entry, so that nothing is stored. */
export function leaveReason(reason: string): void {
	history.replaceState(reason, "");
}

export function takeReason(): string | undefined {
	const reason: unknown = history.state;
	history.replaceState(null, "");
	return typeof reason === "string" ? reason : undefined;
}
