// Makes a self-signed certificate, by default for 127.0.0.1, and its key. It runs openssl, because Bun cannot make one.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Returns the paths of the two files in the folder. */
export function makeCertificate(
	folder: string,
	name: string,
	names = "IP:127.0.0.1",
): { certificate: string; key: string } {
	const certificate = `${folder}/${name}.crt`;
	const key = `${folder}/${name}.key`;
	const request =
		"req -x509 -nodes -days 2 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=127.0.0.1";
	execFileSync(
		"openssl",
		[
			...[...request.split(" "), "-addext", `subjectAltName=${names}`],
			...["-keyout", key, "-out", certificate],
		],
		{ stdio: "pipe" },
	);
	return { certificate, key };
}

/** A certificate and its key, as an address takes them. */
export function makeTls(folder: string, name = "own") {
	const { certificate, key } = makeCertificate(folder, name);
	const read = (path: string) => readFileSync(path, "utf8");
	return { cert: read(certificate), key: read(key) };
}
