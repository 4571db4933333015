import type { Banner } from "../contract/app-status.ts";
import type { BannerInput } from "./banner-input.ts";

/** The source refuses for good: a person must change something. */
export function refusedSource({ ingest }: BannerInput): Banner | null {
  if (ingest?.connection.state !== "failed") return null;
  const { reason, remedy } = ingest.connection;
  return {
    id: "source-failed",
    tone: "bad",
    title: reason,
    detail: remedy,
    action: { label: "Try again", command: "source.retry" },
  };
}

/** The live feed gave nothing since the start. */
export function unreachable({ mode, unreachable: reason }: BannerInput): Banner | null {
  if (mode !== "live" || reason === null) return null;
  return {
    id: "unreachable",
    tone: "warn",
    title: "The live feed cannot be reached",
    detail: `${reason} Highwater keeps trying. The built-in demo feed works without a network.`,
    action: { label: "Use the demo feed", command: "source.use-demo" },
  };
}

/** What is on screen is invented. */
export function demo({ mode, fellBackBecause }: BannerInput): Banner | null {
  if (mode !== "demo") return null;
  return {
    id: "demo",
    tone: "info",
    title: "Demo feed: these edits are invented",
    detail:
      fellBackBecause === null
        ? "They are made on this computer and kept in a data folder of their own."
        : `${fellBackBecause} These edits are made on this computer and kept in a data folder of their own.`,
    action: { label: "Try the live feed", command: "source.use-live" },
  };
}

/** Hosts whose owner asks every program to name somebody to write to (Wikimedia User-Agent policy). */
const ASKS_FOR_CONTACT = /(^|\.)wikimedia\.org$/;

/** Wikimedia asks for a contact in the User-Agent and may slow down or refuse programs without one. */
export function noContact({ ingest, hasContact, settingsFile }: BannerInput): Banner | null {
  if (hasContact || ingest === null || ingest.connection.state === "failed") return null;
  if (!URL.canParse(ingest.url) || !ASKS_FOR_CONTACT.test(new URL(ingest.url).hostname)) return null;
  return {
    id: "no-contact",
    tone: "info",
    title: "Wikimedia asks programs to name a contact",
    detail: `Without one it may slow this one down or refuse it. Put {"ingest":{"userAgentContact":"you@example.org"}} into ${settingsFile.path} and start again.`,
    action: null,
  };
}
