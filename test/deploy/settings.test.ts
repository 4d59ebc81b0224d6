// The files in deploy/ and the Dockerfile use only settings that exist, contain no secrets, and give the service time to stop.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Option } from "@commander-js/extra-typings";
import { command as healthCommand } from "../../src/cli/commands/health.ts";
import { command as sandboxCommand } from "../../src/cli/commands/sandbox/sandbox.ts";
import { serveCommand } from "../../src/cli/commands/serve/config.ts";
import { toDuration } from "../../src/cli/flags.ts";
import { healthMs, lastReplyMs } from "../../src/limits.ts";
import { root } from "../harness/process.ts";
import {
	type ComposeService,
	readComposeFile,
	readDeployment,
} from "./manifests.ts";

const files = [
	"Dockerfile",
	"deploy/compose.yaml",
	"deploy/compose.postgres.yaml",
	"deploy/compose.sandbox.yaml",
	"deploy/kubernetes.yaml",
	"deploy/petstore.service",
	"deploy/petstore-copies.conf",
];
const read = (path: string) => readFileSync(root + path, "utf8");

describe.each(files)("%s", (file) => {
	const text = read(file);

	test("sets only variables that the service reads", () => {
		const known = serveCommand.options.map(({ envVar }) => envVar);
		const used = text
			// Comments name variables that others would set.
			.replace(/^\s*#.*$/gm, "")
			.match(/\bPETSTORE_\w+/g);
		expect(used?.length).toBeGreaterThan(0);
		expect([...known, "PETSTORE_API_KEY"]).toEqual(
			expect.arrayContaining(used ?? []),
		);
	});

	test("calls commands with known flags and valid values", () => {
		const calls = toCalls(text);
		expect(calls.length).toBeGreaterThan(0);
		for (const { options, args } of calls) expectAccepted(options, args);
	});

	test("contains no password and no key", () => {
		// A URL with a password, one of our keys, or a value that does not come from a variable.
		expect(text).not.toMatch(/:\/\/\w*:[^@\s]*@|\bpet_\w{8}/);
		const secrets =
			text.match(/(?<!\$\{\w*)(PASSWORD|API_KEY|--key)\b["']?[:=,].*$/gm) ?? [];
		for (const secret of secrets) expect(secret).toMatch(/[:=,] ?"?\$\{\w+:/);
	});
});

describe("the time to stop is longer than --drain and the time for the last replies", () => {
	const needed = (drain: number) => drain + lastReplyMs / 1000;

	test.each([
		["deploy/compose.yaml", "petstore"],
		["deploy/compose.postgres.yaml", "petstore-a"],
		["deploy/compose.postgres.yaml", "petstore-b"],
	])("%s: %s", (file, name) => {
		const service = serviceOf(file, name);
		const graceMs = toDuration(service.stop_grace_period ?? "") ?? 0;
		expect(graceMs / 1000).toBeGreaterThan(needed(drainOf(service.command)));
	});
	test("deploy/kubernetes.yaml", () => {
		const { pod, container } = readDeployment();
		expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
			needed(drainOf(container.args)),
		);
	});
	test("deploy/petstore.service", () => {
		const [, seconds] =
			/^TimeoutStopSec=(\d+)$/m.exec(read("deploy/petstore.service")) ?? [];
		expect(Number(seconds)).toBeGreaterThan(needed(0));
	});
});

test("waits in every health check longer than petstore health does", () => {
	const [, image] = /--timeout=(\w+) /.exec(read("Dockerfile")) ?? [];
	const timeouts = [
		image,
		serviceOf("deploy/compose.yaml", "petstore").healthcheck?.timeout,
		serviceOf("deploy/compose.postgres.yaml", "petstore-a").healthcheck
			?.timeout,
		serviceOf("deploy/compose.sandbox.yaml", "petstore").healthcheck?.timeout,
	];
	for (const timeout of timeouts)
		expect(toDuration(timeout ?? "")).toBeGreaterThan(healthMs);
});

test.each([
	["deploy/compose.yaml", "petstore"],
	["deploy/compose.postgres.yaml", "petstore-a"],
	["deploy/compose.postgres.yaml", "petstore-b"],
	["deploy/compose.sandbox.yaml", "petstore"],
])(
	"%s: lets %s write only to its volumes, without privileges",
	(file, name) => {
		const service = serviceOf(file, name);
		expect(service.read_only).toBe(true);
		expect(service.cap_drop).toEqual(["ALL"]);
		expect(service.security_opt).toEqual(["no-new-privileges:true"]);
	},
);

describe("deploy/kubernetes.yaml", () => {
	const { pod, container } = readDeployment();

	test("follows the restricted policy of the Pod Security Standards, with a read-only root", () => {
		expect(pod.securityContext).toMatchObject({
			runAsNonRoot: true,
			seccompProfile: { type: "RuntimeDefault" },
		});
		expect(container.securityContext).toEqual({
			allowPrivilegeEscalation: false,
			readOnlyRootFilesystem: true,
			capabilities: { drop: ["ALL"] },
		});
	});
	test("runs as the user of the image", () => {
		const { runAsUser, runAsGroup } = pod.securityContext;
		expect(read("Dockerfile")).toContain(`\nUSER ${runAsUser}:${runAsGroup}\n`);
		expect(read("Dockerfile")).toContain(`--chown=${runAsUser}:${runAsGroup} `);
		expect(read("deploy/image-files.sh")).toContain(
			`petstore:x:${runAsUser}:${runAsGroup}:`,
		);
	});
	test("keeps Kubernetes from setting PETSTORE_PORT to the address of a service", () => {
		expect(pod.enableServiceLinks).toBe(false);
	});
});

function serviceOf(file: string, name: string): ComposeService {
	const service = readComposeFile(file).services[name];
	if (service === undefined) throw new Error(`${file} has no ${name}`);
	return service;
}

function drainOf(args: readonly string[] = []): number {
	const at = args.indexOf("--drain");
	return at === -1 ? 0 : Number(args[at + 1]);
}

/** The petstore commands of a file: as lists in YAML and JSON, or on a line of the unit. */
function toCalls(text: string) {
	const lists = [...text.matchAll(/\[([^\][]*)\]/g)].map(([, list = ""]) =>
		list.split(",").map((word) =>
			word
				.trim()
				.replace(/^"(.*)"$/, "$1")
				// A variable that Compose requires.
				.replace(/^\$\{\w+:\?.*\}$/, "given"),
		),
	);
	const lines = [...text.matchAll(/^ExecStart=(.*)$/gm)].map(([, line = ""]) =>
		line.split(" "),
	);
	return [...lists, ...lines].flatMap((words) => {
		const at = words.findIndex((word) => commands.has(word));
		const options = commands.get(words[at] ?? "");
		return options === undefined
			? []
			: [{ options, args: words.slice(at + 1) }];
	});
}

const commands = new Map(
	[serveCommand, healthCommand, sandboxCommand].map((command) => [
		command.name(),
		command.options,
	]),
);

function expectAccepted(
	options: readonly Option[],
	args: readonly string[],
): void {
	for (let at = 0; at < args.length; at++) {
		const option = options.find(({ long }) => long === args[at]);
		expect([args[at], option !== undefined]).toEqual([args[at], true]);
		// Throws if the option refuses the value.
		if (option?.required) option.parseArg?.(args[++at] ?? "", undefined);
	}
}
