// List, get and add over HTTP on both engines in one run: rounds in turn, fresh processes, load by wrk.
// Usage: bun bench/engines.ts [postgres://…]   (without a URL it starts a PostgreSQL from npm's binaries)
import { execFileSync, spawn } from "node:child_process";
