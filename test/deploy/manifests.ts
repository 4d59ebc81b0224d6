// Reads the manifests in deploy/. The types have only what the tests check.
import { readFileSync } from "node:fs";
import { root } from "../harness/process.ts";

export interface ComposeFile {
	readonly services: Readonly<Record<string, ComposeService>>;
}

export interface ComposeService {
	readonly command?: readonly string[];
	readonly stop_grace_period?: string;
	readonly read_only?: boolean;
	readonly cap_drop?: readonly string[];
	readonly security_opt?: readonly string[];
	readonly healthcheck?: { readonly timeout?: string };
}

export interface Manifest {
	readonly apiVersion: string;
	readonly kind: string;
}

interface Deployment extends Manifest {
	readonly spec: { readonly template: { readonly spec: Pod } };
}

interface Pod {
	readonly enableServiceLinks?: boolean;
	readonly terminationGracePeriodSeconds?: number;
	readonly securityContext: Readonly<Record<string, unknown>>;
	readonly containers: readonly [Container];
}

interface Container {
	readonly args: readonly string[];
	readonly securityContext: Readonly<Record<string, unknown>>;
	readonly startupProbe: {
		readonly failureThreshold?: number;
		readonly periodSeconds?: number;
	};
}

export function readComposeFile(path: string): ComposeFile {
	return readYaml(path);
}

export function readManifests(): readonly Manifest[] {
	return readYaml("deploy/kubernetes.yaml");
}

export function readBackupManifest(): Manifest {
	return readYaml("deploy/kubernetes-backup.yaml");
}

export function readDeployment() {
	const [deployment] = readYaml<readonly [Deployment]>(
		"deploy/kubernetes.yaml",
	);
	const pod = deployment.spec.template.spec;
	return { pod, container: pod.containers[0] };
}

/** Returns a list if the file has several documents. */
function readYaml<Content>(path: string): Content {
	const content = Bun.YAML.parse(readFileSync(root + path, "utf8"));
	return JSON.parse(JSON.stringify(content));
}
