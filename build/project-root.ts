import { resolve } from "node:path";

/** Absolute path of the checkout, whatever the working directory. */
export const projectRoot = resolve(import.meta.dirname, "..");
