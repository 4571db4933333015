import http from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { applyNetworkEnvironment } from "./network-environment.ts";

function spyOnProxies(): () => unknown {
  const spy = vi.spyOn(http, "setGlobalProxyFromEnv").mockReturnValue(() => undefined);
  onTestFinished(() => spy.mockRestore());
  return () => spy.mock.calls[0]?.[0];
}

test("without a proxy or a certificate nothing is changed and nothing is said", () => {
  const given = spyOnProxies();
  expect(applyNetworkEnvironment({ PATH: "/bin", HTTPS_PROXY: "" })).toEqual([]);
  expect(given()).toBeUndefined();
});

test("a proxy is used except for this machine, named in a line without its password", () => {
  const given = spyOnProxies();
  const lines = applyNetworkEnvironment({
    HTTPS_PROXY: "http://me:secret@proxy:3128",
    NO_PROXY: "intra.test",
  });
  expect(given()).toEqual({
    https_proxy: "http://me:secret@proxy:3128",
    no_proxy: "intra.test,localhost,127.0.0.1,::1,[::1]",
  });
  expect(lines.join("\n")).toContain("HTTPS_PROXY is used");
  expect(lines.join("\n")).not.toContain("secret");
});

test("what is set and not used is said, and whose certificates are trusted", () => {
  spyOnProxies();
  const lines = applyNetworkEnvironment({ all_proxy: "socks://x", NODE_EXTRA_CA_CERTS: "/etc/ca.pem" });
  expect(lines).toEqual([
    "ALL_PROXY is set and not used; set HTTPS_PROXY",
    "certificates of NODE_EXTRA_CA_CERTS (/etc/ca.pem) are trusted besides the built-in ones",
  ]);
});

test("verification of certificates cannot be switched off from outside, and that is said", () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  expect(applyNetworkEnvironment(env)).toEqual([
    expect.stringContaining("NODE_TLS_REJECT_UNAUTHORIZED=0 is not obeyed"),
  ]);
  expect(env).toEqual({});
});
