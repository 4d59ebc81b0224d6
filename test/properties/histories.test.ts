// Some random histories of animals; histories.slow.test.ts has more of them.
import { histories } from "./random-histories.ts";

histories("memory", 250);
histories("sqlite", 60);
histories("postgres", 20);
