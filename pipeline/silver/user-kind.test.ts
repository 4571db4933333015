import { expect, test } from "vitest";
import { userKindOf } from "./user-kind.ts";

test.each([
  [null, "hidden"],
  ["~2026-50211-05", "temporary"],
  ["~2026-1", "temporary"],
  ["~tilde", "named"],
  ["~20", "named"],
  ["U", "named"],
  ["Face:Ade", "named"],
  ["198.51.100.161", "address"],
  ["198.51.100", "named"],
  ["2001:DB8:0:0:0:0:0:1", "address"],
  ["2001:db8::1", "address"],
] as const)("C12: %s is %s", (user, kind) => {
  expect(userKindOf(user)).toBe(kind);
});
