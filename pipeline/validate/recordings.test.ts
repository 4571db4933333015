import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { decode } from "../decode/decode.ts";
import { record } from "./events.test-support.ts";
import { validate } from "./validate.ts";

const SAMPLES = join(import.meta.dirname, "../../../shared/samples");
const NAMES = existsSync(SAMPLES) ? readdirSync(SAMPLES).filter((name) => name.includes("recentchange")) : [];

function payloadsOf(name: string): readonly string[] {
  const text = readFileSync(join(SAMPLES, name), "utf8");
  if (name.endsWith(".json")) return [text];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return name.includes(".sse.")
    ? lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6))
    : lines;
}

if (NAMES.length === 0) process.stderr.write(`RECORDINGS NOT READ: there is no folder ${SAMPLES}\n`);

// Recordings are not part of the project; where they are not, the golden set and the generated feed stand in.
describe.skipIf(NAMES.length === 0)("recordings of recentchange, 2018 to 2025", () => {
  test.each(NAMES)("%s: not one false dead letter", (name) => {
    const payloads = payloadsOf(name);
    expect(payloads.length).toBeGreaterThan(0);
    for (const payload of payloads) {
      const made = record(payload);
      const verdict = validate(made, decode(made.data), DEFAULT_RESULT_SETTINGS);
      expect(verdict.valid ? "valid" : `${verdict.ruleId}/${verdict.reasonCode}: ${verdict.trace}`).toBe(
        "valid",
      );
    }
  });
});
