// The folder of the project, with a final slash.
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
