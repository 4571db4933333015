import type { Rule } from "../rule.ts";

/**
 * `log_params` is an object, an array (PHP's empty or list array) or a text, of any content; a bare number or boolean
 * is no form that MediaWiki writes.
 */
export const logParams = {
  id: "log-params",
  canBeDisabled: true,
  reasonCodes: ["log-params-scalar"],
  check: ({ event }) => {
    const value = event.log_params;
    if (typeof value !== "number" && typeof value !== "boolean") return null;
    return { reasonCode: "log-params-scalar", looked: { log_params: value, log_type: event.log_type } };
  },
} as const satisfies Rule;
