// The one-time link of `petstore console`: its token is in the fragment of the address, which browsers do not send.

/** Takes the token out of the address bar and the history, so that it is not copied or seen there. */
export function takeLink(): string | undefined {
	const [, token] = inHash.exec(location.hash) ?? [];
	if (token !== undefined) history.replaceState(null, "", location.pathname);
	return token;
}

export function hasLink(): boolean {
	return inHash.test(location.hash);
}

const inHash = /^#link=(.+)$/;
