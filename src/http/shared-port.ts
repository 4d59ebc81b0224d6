// Whether several processes can listen at one address, so that the system distributes the connections.

/** Bun ignores `reusePort` on macOS and Windows. */
export function canSharePort(platform: string = process.platform): boolean {
	return platform === "linux";
}
