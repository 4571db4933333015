import { expect, test } from "vitest";
import { LaneSum } from "./lane-sum.ts";

const LARGEST = 0xffffffff;

test("a sum of more lanes than a number holds exactly is still exact mod 2^64", () => {
  const sum = new LaneSum();
  const count = 2 ** 21 + 3;
  for (let index = 0; index < count; index += 1) sum.add({ high: LARGEST, low: LARGEST });
  expect(sum.value).toBe(BigInt.asUintN(64, -BigInt(count)));
});

test("hashes and lanes add up together", () => {
  const sum = new LaneSum();
  sum.add({ high: 1, low: 2 });
  sum.addHash(0xffffffff_ffffffffn);
  sum.add({ high: 0, low: LARGEST });
  expect(sum.value).toBe(0x00000002_00000000n);
});
