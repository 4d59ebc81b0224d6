// npm run build: writes dist/, which is not in the repository. `npm ci` runs it too.
import { buildLicenses } from "./licenses.ts";
import { buildModules } from "./modules.ts";
import { buildPages } from "./pages.ts";
import { buildProgram } from "./program.ts";

await buildModules();
await buildProgram();
buildLicenses(await buildPages());
