import type { Banner } from "../contract/app-status.ts";
import type { BannerInput } from "./banner-input.ts";
import { catalogHeld, catalogWentBack, holes, logHeld, losses, quarantined } from "./data-banners.ts";
import { demo, noContact, refusedSource, unreachable } from "./source-banners.ts";

/** Worst first; within one tone as listed here. */
const RULES: readonly ((input: BannerInput) => Banner | null)[] = [
  gaveUp,
  refusedSource,
  logHeld,
  catalogHeld,
  catalogWentBack,
  quarantined,
  losses,
  unreachable,
  settings,
  rulesStillOn,
  holes,
  clockWrong,
  demo,
  noContact,
];

const TONES: readonly Banner["tone"][] = ["bad", "warn", "info"];

/** Everything the user must know now, worst first; nothing for what is normal. */
export function listBanners(input: BannerInput): readonly Banner[] {
  const banners = RULES.flatMap((rule) => rule(input) ?? []);
  return TONES.flatMap((tone) => banners.filter((banner) => banner.tone === tone));
}

function gaveUp(input: BannerInput): Banner | null {
  const stopped = input.workers.flatMap(({ name, phase }) =>
    phase.state === "gave-up" ? [{ name, message: phase.error.message }] : [],
  );
  const names = stopped.map(({ name }) => name);
  if (names.length === 0) return null;
  return {
    id: `gave-up-${names.join("-")}`,
    tone: "bad",
    title: `The ${names.join(" and the ")} worker stopped`,
    detail: stopped.map(({ message }) => message).join(" "),
    action: { label: "Start it again", command: "source.retry" },
  };
}

function settings({ settingsFile: { problem } }: BannerInput): Banner | null {
  if (problem === null) return null;
  return {
    id: "settings",
    tone: "warn",
    title: "The settings file cannot be used",
    detail: `${problem} The settings in force stay as they are. Correct the file and start again.`,
    action: null,
  };
}

function rulesStillOn({ pipeline, settingsFile: { path } }: BannerInput): Banner | null {
  const names = pipeline?.settings?.rulesStillOn ?? [];
  if (names.length === 0) return null;
  return {
    id: "rules-still-on",
    tone: "warn",
    title: names.length === 1 ? "A rule stays on" : `${names.length} rules stay on`,
    detail: `The settings switch off ${names.join(", ")}: there is no such rule, or the tables could not hold what it rejects. Correct result.disabledRules in ${path} and start again.`,
    action: null,
  };
}

function clockWrong({ pipeline }: BannerInput): Banner | null {
  if (pipeline === null || !pipeline.clockWrong) return null;
  return {
    id: "clock-wrong",
    tone: "warn",
    title: "This computer's clock seems to be wrong",
    detail:
      "Event times and the local clock are more than five minutes apart. Set the clock; no record is lost by it.",
    action: null,
  };
}
