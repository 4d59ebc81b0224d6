// node:crypto, which is loaded only for TLS: it would be a seventh of what the service has on its heap.

export function loadCrypto(): typeof import("node:crypto") {
	return process.getBuiltinModule("node:crypto");
}
