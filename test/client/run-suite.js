// Runs the suite with the built client, in any runtime: run-suite.js URL KEY NOWHERE
import * as client from "petstore-service/client";
import { runSuite } from "./suite.ts";

const [url, key, nowhere] = process.argv.slice(2);
const options = { client, url, key, nowhere };
runSuite(options).then((titles) => console.log(`${titles.length} passed`));
