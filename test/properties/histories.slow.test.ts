// 10,000 random histories of animals; 100,000 with PROPERTY_RUNS=10.
import { histories } from "./random-histories.ts";

histories("memory", 9_000);
histories("sqlite", 800);
histories("postgres", 200);
