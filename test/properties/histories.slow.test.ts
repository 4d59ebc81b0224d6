// 100,000 random histories of animals.
import { histories } from "./random-histories.ts";

histories("memory", 90_000);
histories("sqlite", 8_000);
histories("postgres", 2_000);
