import { LANGUAGES, type Language, type LanguageCode } from "./languages.ts";
import type { Random } from "./random.ts";

/** One wiki of the feed. */
export type Wiki = {
  readonly index: number;
  /** Database name, as `wiki` says it. */
  readonly db: string;
  readonly host: string;
  readonly language: Language;
  /** Name of the project namespace. */
  readonly project: string;
  /** Share of the traffic, relative. */
  readonly weight: number;
  /** True where changes are patrolled, so that edits say `patrolled`. */
  readonly isPatrolled: boolean;
  readonly style: "encyclopedia" | "items" | "files";
};

type Row = readonly [
  db: string,
  host: string,
  code: LanguageCode,
  project: string,
  weight: number,
  flags: string,
];

/** Weights follow the order of size of the real wikis; `p` = patrolled, `i` = items (Q numbers), `f` = files. */
const ROWS: readonly Row[] = [
  ["enwiki", "en.wikipedia.org", "en", "Wikipedia", 190, ""],
  ["wikidatawiki", "www.wikidata.org", "en", "Wikidata", 170, "pi"],
  ["commonswiki", "commons.wikimedia.org", "en", "Commons", 170, "pf"],
  ["dewiki", "de.wikipedia.org", "de", "Wikipedia", 50, "p"],
  ["frwiki", "fr.wikipedia.org", "fr", "Wikipédia", 46, "p"],
  ["eswiki", "es.wikipedia.org", "es", "Wikipedia", 40, "p"],
  ["ruwiki", "ru.wikipedia.org", "ru", "Википедия", 38, "p"],
  ["jawiki", "ja.wikipedia.org", "ja", "Wikipedia", 32, ""],
  ["itwiki", "it.wikipedia.org", "it", "Wikipedia", 28, "p"],
  ["zhwiki", "zh.wikipedia.org", "zh", "Wikipedia", 28, "p"],
  ["arwiki", "ar.wikipedia.org", "ar", "ويكيبيديا", 24, "p"],
  ["fawiki", "fa.wikipedia.org", "fa", "ویکی‌پدیا", 20, "p"],
  ["ukwiki", "uk.wikipedia.org", "uk", "Вікіпедія", 20, "p"],
  ["plwiki", "pl.wikipedia.org", "pl", "Wikipedia", 18, "p"],
  ["ptwiki", "pt.wikipedia.org", "pt", "Wikipédia", 18, "p"],
  ["hewiki", "he.wikipedia.org", "he", "ויקיפדיה", 14, "p"],
  ["kowiki", "ko.wikipedia.org", "ko", "위키백과", 12, ""],
  ["trwiki", "tr.wikipedia.org", "tr", "Vikipedi", 12, "p"],
  ["viwiki", "vi.wikipedia.org", "vi", "Wikipedia", 12, "p"],
  ["svwiki", "sv.wikipedia.org", "sv", "Wikipedia", 10, "p"],
  ["hiwiki", "hi.wikipedia.org", "hi", "विकिपीडिया", 8, ""],
  ["bnwiki", "bn.wikipedia.org", "bn", "উইকিপিডিয়া", 7, "p"],
  ["tawiki", "ta.wikipedia.org", "ta", "விக்கிப்பீடியா", 5, ""],
  ["thwiki", "th.wikipedia.org", "th", "วิกิพีเดีย", 6, ""],
  ["elwiki", "el.wikipedia.org", "el", "Βικιπαίδεια", 5, "p"],
  ["hywiki", "hy.wikipedia.org", "hy", "Վիքիպեդիա", 5, ""],
  ["kawiki", "ka.wikipedia.org", "ka", "ვიკიპედია", 4, "p"],
  ["urwiki", "ur.wikipedia.org", "ur", "ویکیپیڈیا", 4, ""],
  ["enwiktionary", "en.wiktionary.org", "en", "Wiktionary", 22, ""],
  ["frwiktionary", "fr.wiktionary.org", "fr", "Wiktionnaire", 10, "p"],
  ["dewiktionary", "de.wiktionary.org", "de", "Wiktionary", 6, "p"],
  ["enwikisource", "en.wikisource.org", "en", "Wikisource", 10, "p"],
  ["frwikisource", "fr.wikisource.org", "fr", "Wikisource", 6, "p"],
  ["enwikivoyage", "en.wikivoyage.org", "en", "Wikivoyage", 2, "p"],
  ["ruwikinews", "ru.wikinews.org", "ru", "Викиновости", 6, "p"],
  ["enwikiquote", "en.wikiquote.org", "en", "Wikiquote", 2, "p"],
  ["enwikibooks", "en.wikibooks.org", "en", "Wikibooks", 2, "p"],
  ["metawiki", "meta.wikimedia.org", "en", "Meta", 8, "p"],
  ["mediawikiwiki", "www.mediawiki.org", "en", "Project", 4, "p"],
  ["specieswiki", "species.wikimedia.org", "en", "Wikispecies", 4, "p"],
  ["incubatorwiki", "incubator.wikimedia.org", "en", "Incubator", 2, "p"],
];

/** All wikis of the feed. */
export const WIKIS: readonly Wiki[] = ROWS.map(([db, host, code, project, weight, flags], index) => ({
  index,
  db,
  host,
  project,
  weight,
  language: LANGUAGES[code],
  isPatrolled: flags.includes("p"),
  style: styleOf(flags),
}));

function styleOf(flags: string): Wiki["style"] {
  if (flags.includes("i")) return "items";
  return flags.includes("f") ? "files" : "encyclopedia";
}

/** One entry per unit of weight, so that a pick is one look-up. */
const BY_WEIGHT: readonly Wiki[] = WIKIS.flatMap((wiki) => Array.from({ length: wiki.weight }, () => wiki));

/** A wiki by weight. */
export function pickWiki(random: Random): Wiki {
  return BY_WEIGHT[random.whole(BY_WEIGHT.length)] ?? wikiAt(0);
}

/** The wiki at `index`. Throws a RangeError where there is none. */
export function wikiAt(index: number): Wiki {
  const wiki = WIKIS[index];
  if (wiki === undefined) throw new RangeError(`no wiki ${index}`);
  return wiki;
}
