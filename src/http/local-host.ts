// Whether a Host or an Origin is a name of this machine. Other names may lead here too, but any site can have such a name.

/** Takes a host as it is in a URL, with or without a port. */
export function isLocalHost(host: string): boolean {
	return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}

export function isLocalOrigin(origin: string): boolean {
	const [, host] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
	return host !== undefined && isLocalHost(host);
}
