// Runs the suite with the built package, as a test file of node --test or bun test.
import { PetstoreError } from "petstore-service/client";
import { connectPetstore, startPetstore } from "petstore-service/testing";
import { defineSuite } from "./suite.ts";

defineSuite({ PetstoreError, startPetstore, connectPetstore });
