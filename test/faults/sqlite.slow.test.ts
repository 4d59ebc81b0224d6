// The process, its disk and its commands fail, on SQLite.
import { testSmallest } from "./smallest.ts";

testSmallest("SQLite");
