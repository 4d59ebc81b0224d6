// The curl command that shows a new user that the service works.
import {
	type Address,
	isLoopback,
	toReachableHost,
	toUrlHost,
} from "../http/server/address.ts";
import { quote } from "../program.ts";

/** The command, and a sentence if a part of it needs one. */
export function toCurlExample(
	url: string,
	key: string,
	address: Address,
	platform: string = process.platform,
): string {
	const here = toUrlHost(toReachableHost(address.host));
	const shown = url.replace(/^https?:\/\/|:\d+$/g, "");
	const isElsewhere = !leadsTo(shown, here);
	const command = [
		"curl",
		...toTrust(address, platform),
		...(isElsewhere ? [`--connect-to ::${here}:`] : []),
		`-H "Authorization: Bearer ${key}"`,
		`${url}/v1/pets`,
	].join(" ");
	return isElsewhere
		? `  ${command}

The certificate is for ${shown} and not for ${here}, so --connect-to
names the machine.
`
		: `  ${command}\n`;
}

/** Whether the name is the host that the service listens on, or another name of it. */
function leadsTo(shown: string, host: string): boolean {
	return (
		shown === host ||
		(shown === "localhost" && isLoopback(host.replace(/^\[|\]$/g, "")))
	);
}

/** No authority has signed a self-signed certificate, so curl needs the certificate itself. */
function toTrust({ tls }: Address, platform: string): string[] {
	return tls?.selfSignedFile === undefined
		? []
		: [`--cacert ${quote(tls.selfSignedFile, platform)}`];
}
