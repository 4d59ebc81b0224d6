// The process and its database fail, on PostgreSQL.
import { testSmallest } from "./smallest.ts";

testSmallest("PostgreSQL");
