// `petstore console`: makes a link that signs in to the console once, and opens it; or ends all sessions of the console.
import { OperatorError } from "../../domain/errors.ts";
import { flag, toSwitch } from "../../domain/types/scalar.ts";
import {
	optional,
	type ValuesOf,
	withDefault,
} from "../../domain/types/type.ts";
import { isLoopback, toUrl } from "../../http/address.ts";
import { nameOf } from "../../interface/replies.ts";
import { linkMinutes, makeConsoleLink } from "../access.ts";
import { orVariable, toCommand, withVariables } from "../command.ts";
import { ignoreProxies } from "../environment.ts";
import { database, operatorAddress, portOf, urlOf, usesTls } from "../flags.ts";
import { openBrowser, print, say } from "../terminal/print.ts";
import { withStore } from "../with-store.ts";

const flags = withVariables({
	url: orVariable(
		optional(urlOf("Address of the running service; by default this machine.")),
		"BASE_URL",
	),
	port: portOf("Port of the service on this machine."),
	operatorAddress,
	tlsCert: usesTls,
	as: optional(
		nameOf("Person who gets the link, for the history and the console"),
	),
	open: withDefault(flag("Print the link without opening a browser."), true),
	endSessions: toSwitch(
		"End all console sessions and unused links, and make no link.",
	),
	database,
});

export const command = toCommand("console", {
	flags,
	help: `The link is valid for ${linkMinutes} minutes. On a terminal the command opens it in a
browser, if there is a screen. Other users of this machine can then read it in
the list of processes: give --no-open if you do not trust them.`,
	examples: [
		"petstore console",
		"petstore console --port 9000",
		"petstore console --as Ada",
		"petstore console --url https://pets.example --no-open",
		"petstore console --end-sessions",
	],
	async run(given, typed) {
		if (given.endSessions && given.as !== undefined)
			throw new OperatorError("Give either --end-sessions or --as.", 2);
		await withStore(given.database, "write", async ({ sessions }) => {
			if (given.endSessions) {
				await sessions.deleteAll();
				return say(
					"All console sessions end within a second. Unused links are no longer valid.",
				);
			}
			// PETSTORE_BASE_URL is for clients.
			const url = toServiceUrl(given, "url" in typed);
			const link = await makeConsoleLink(sessions, url, given.as);
			print(`${link}\n`);
			say(`The link signs in once, within ${linkMinutes} minutes.`);
			if (!(await answers(url)))
				say(
					`No console answers at ${url}; start the service there, or give --port, --operator-address, --tls-cert or --url.`,
				);
			else if (given.open && process.stdout.isTTY && hasScreen())
				openBrowser(link);
		});
	},
});

/** Without one, what opens browsers may start one in this terminal, over the link. */
function hasScreen(): boolean {
	const { DISPLAY, WAYLAND_DISPLAY } = process.env;
	return process.platform !== "linux" || !!(DISPLAY || WAYLAND_DISPLAY);
}

function toServiceUrl(
	{ url, port, operatorAddress, tlsCert }: ValuesOf<typeof flags>,
	isTyped: boolean,
): string {
	if (url && (isTyped || operatorAddress === undefined)) return url;
	const address = operatorAddress ?? { host: "127.0.0.1", port };
	return toUrl({ host: address.host, tls: tlsCert }, address.port);
}

/** Whether the page of the link answers. Nothing secret is sent, and the browser checks the certificate itself. */
async function answers(url: string): Promise<boolean> {
	if (isLoopback(new URL(url).hostname)) ignoreProxies();
	const signal = AbortSignal.timeout(1_000);
	const tls = { rejectUnauthorized: false };
	return fetch(`${url}/console`, { signal, tls }).then(
		({ ok }) => ok,
		() => false,
	);
}
