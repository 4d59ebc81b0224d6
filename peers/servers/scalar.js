// Scalar's mock server on an OpenAPI document. Its package is a library, so this program gives it a port. Usage: bun scalar.js PORT FILE
import { readFileSync } from "node:fs";
import { createMockServer } from "@scalar/mock-server";

const [, , port, file] = process.argv;
const document = JSON.parse(readFileSync(file, "utf8"));
const { fetch } = await createMockServer({ document });
Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch });
