// The curl command that shows a new user that the service works.
import {
	type Address,
	isLoopback,
	toReachableHost,
	toUrlHost,
} from "../http/server/address.ts";

/** The command, and a sentence about --connect-to if it is used. */
export function toCurlExample(
	url: string,
	key: string,
	{ host, tls }: Address,
): string {
	const reachable = toReachableHost(host);
	const here = toUrlHost(reachable);
	const shown = url.replace(/^https?:\/\/|:\d+$/g, "");
	const isHere =
		shown === here || (shown === "localhost" && isLoopback(reachable));
	const command = [
		"curl",
		// No authority has signed a self-signed certificate, so curl needs the certificate itself.
		...(tls?.selfSignedFile === undefined
			? []
			: [`--cacert ${tls.selfSignedFile}`]),
		...(isHere ? [] : [`--connect-to ::${here}:`]),
		`-H "Authorization: Bearer ${key}"`,
		`${url}/v1/pets`,
	];
	const reason = `
The certificate is for ${shown} and not for ${here}, so --connect-to
names the machine.
`;
	return `  ${command.join(" ")}\n${isHere ? "" : reason}`;
}
