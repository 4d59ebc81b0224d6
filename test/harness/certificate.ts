// Makes a self-signed certificate, by default for 127.0.0.1, and its key. It runs openssl, because Bun cannot make one.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Returns the paths of the two files in the folder. */
export function makeCertificate(
	folder: string,
	name: string,
	{
		subject = "/CN=127.0.0.1",
		names = "IP:127.0.0.1",
		keyType = "ec",
	}: { subject?: string; names?: string; keyType?: KeyType } = {},
): { certificate: string; key: string } {
	const certificate = `${folder}/${name}.crt`;
	const key = `${folder}/${name}.key`;
	execFileSync(
		"openssl",
		[
			..."req -x509 -nodes -days 2".split(" "),
			...keyOptions[keyType],
			...["-subj", subject],
			...(names === "" ? [] : ["-addext", `subjectAltName=${names}`]),
			...["-keyout", key, "-out", certificate],
		],
		{ stdio: "pipe" },
	);
	return { certificate, key };
}

/** An RSA key takes a tenth of a second to make. */
const keyOptions = {
	ec: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
	rsa: ["-newkey", "rsa:2048"],
};
type KeyType = keyof typeof keyOptions;

/** A certificate and its key, as an address takes them. */
export function makeTls(folder: string, name = "own") {
	const { certificate, key } = makeCertificate(folder, name);
	const read = (path: string) => readFileSync(path, "utf8");
	return { cert: read(certificate), key: read(key) };
}
