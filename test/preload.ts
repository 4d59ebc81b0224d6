// Ends what the test files share.
import { afterAll } from "bun:test";
import { removeShared } from "./postgres-server.ts";

afterAll(removeShared);
