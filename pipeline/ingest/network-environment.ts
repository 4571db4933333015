import http from "node:http";

/** The demo feed and test servers are on this machine; a proxy could not reach them. */
const LOOPBACK = "localhost,127.0.0.1,::1,[::1]";
const USED = ["https_proxy", "http_proxy"] as const;
const NOT_USED = ["all_proxy"] as const;
const TLS_OFF = "NODE_TLS_REJECT_UNAUTHORIZED";

/**
 * Makes fetch use the proxy that the environment names, and says in plain lines what is used and what is not
 * (never the value: it may hold a password). Certificates: Node reads NODE_EXTRA_CA_CERTS at start by itself.
 */
export function applyNetworkEnvironment(env: NodeJS.ProcessEnv): readonly string[] {
  const lines: string[] = [];
  const proxies = USED.flatMap((name) => {
    const value = valueOf(env, name);
    return value === undefined ? [] : [{ name, value }];
  });
  if (proxies.length > 0) lines.push(applyProxies(env, proxies));
  for (const name of NOT_USED) {
    if (valueOf(env, name) !== undefined)
      lines.push(`${name.toUpperCase()} is set and not used; set HTTPS_PROXY`);
  }
  const certificates = env["NODE_EXTRA_CA_CERTS"];
  if (certificates !== undefined && certificates !== "") {
    lines.push(`certificates of NODE_EXTRA_CA_CERTS (${certificates}) are trusted besides the built-in ones`);
  }
  // Node asks this variable at every connection, and would then accept anybody's certificate.
  if (env[TLS_OFF] === "0") {
    delete env[TLS_OFF];
    lines.push(
      `${TLS_OFF}=0 is not obeyed: certificates are always verified; trust one with NODE_EXTRA_CA_CERTS`,
    );
  }
  return lines;
}

function applyProxies(
  env: NodeJS.ProcessEnv,
  proxies: readonly { readonly name: string; readonly value: string }[],
): string {
  const names = proxies.map(({ name }) => name.toUpperCase()).join(" and ");
  if (typeof http.setGlobalProxyFromEnv !== "function") {
    return `${names} is set and not used by this version of Node; start with NODE_USE_ENV_PROXY=1`;
  }
  const noProxy = [valueOf(env, "no_proxy"), LOOPBACK].filter((part) => part !== undefined).join(",");
  http.setGlobalProxyFromEnv({
    ...Object.fromEntries(proxies.map(({ name, value }) => [name, value])),
    no_proxy: noProxy,
  });
  return `the proxy of ${names} is used, except for this machine and NO_PROXY`;
}

function valueOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name] ?? env[name.toUpperCase()];
  return value === "" ? undefined : value;
}
