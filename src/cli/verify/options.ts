// The flags of `petstore verify`.
import { Option } from "commander";

export const verifyOptions = [
	new Option("--key <key>", "API key that may read and write")
		.env("PETSTORE_API_KEY")
		.makeOptionMandatory(),
	new Option("--read-key <key>", "API key that may only read").env(
		"PETSTORE_READ_API_KEY",
	),
	new Option("--only <text>", "run the cases whose name or section has it"),
	new Option(
		"--contract-only",
		"judge by the interface document alone, without our additions",
	),
	new Option(
		"--cacert <file>",
		"certificate to trust for HTTPS in place of the system's, in PEM form",
	),
	new Option("-y, --yes", "do not ask before animals are added"),
	new Option("--verbose", "show the whole reply of each failure"),
	new Option("--json", "print one JSON object"),
	new Option("--junit <file>", "also write a JUnit report"),
];

export interface VerifyFlags {
	readonly key: string;
	readonly readKey?: string;
	readonly only?: string;
	readonly contractOnly?: true;
	readonly cacert?: string;
	readonly yes?: true;
	readonly verbose?: true;
	readonly json?: true;
	readonly junit?: string;
}
