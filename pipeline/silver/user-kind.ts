/** How a user appears: with a name, as a temporary account, as an address, or not at all (suppressed name). */
export type UserKind = "named" | "temporary" | "address" | "hidden";

/** Temporary accounts are a tilde, four digits (the year), a hyphen and more (eventstreams.md); `~tilde` is a name. */
const TEMPORARY = /^~\d{4}-/;
const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;
/** Hex groups and colons only, at least two colons: no wiki allows a colon-and-hex-only user name. */
const IPV6 = /^(?=(?:[^:]*:){2})[0-9A-Fa-f:]+$/;

/** The kind of a user name; null is a suppressed one. */
export function userKindOf(user: string | null): UserKind {
  if (user === null) return "hidden";
  const first = user.charCodeAt(0);
  if (first === 0x7e && TEMPORARY.test(user)) return "temporary";
  // Most names begin with a letter beyond f: spare them two patterns.
  return IPV4.test(user) || IPV6.test(user) ? "address" : "named";
}
