// `npm run build`: makes dist/, which is not kept in the repository. npm runs it after an installation.
import { buildPages } from "./pages.ts";

await buildPages();
