// A certificate for 127.0.0.1 that signs itself, and its key; made by openssl, since the platform has no way to.
import { execFileSync } from "node:child_process";

/** Leaves them in the folder and gives their paths. */
export function makeCertificate(
	folder: string,
	name: string,
): { certificate: string; key: string } {
	const certificate = `${folder}/${name}.crt`;
	const key = `${folder}/${name}.key`;
	execFileSync(
		"openssl",
		[
			..."req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1".split(
				" ",
			),
			...["-addext", "subjectAltName=IP:127.0.0.1"],
			...["-keyout", key, "-out", certificate],
		],
		{ stdio: "pipe" },
	);
	return { certificate, key };
}
