/**
 * Texts that a feed may send to a list. `shown`: what the painted text must contain (marks as their labels); `hidden`: code
 * points that must not reach the page as themselves.
 */
export type HostileText = {
  readonly name: string;
  readonly text: string;
  readonly shown: readonly string[];
  readonly hidden: RegExp;
};

/** Of a text that hides nothing, this must not appear. */
const NOTHING = /\p{Surrogate}/u;

/** One of each kind that people or attackers send; the same in the panel tests and in the real Electron. */
export const HOSTILE_TEXTS: readonly HostileText[] = [
  {
    name: "HTML and script",
    text: `<img src=x onerror="globalThis.wasRun=true"><script>globalThis.wasRun=true</script><b>bold</b>&lt;i&gt;`,
    shown: ["<img src=x", "<script>", "<b>bold</b>", "&lt;i&gt;"],
    hidden: NOTHING,
  },
  {
    name: "an attribute's end",
    text: `" onmouseover="alert(1)" style="position:fixed;inset:0" x='`,
    shown: [`" onmouseover="alert(1)"`],
    hidden: NOTHING,
  },
  {
    name: "right-to-left",
    text: "ויקיפדיה: האנציקלופדיה החופשית (2026)",
    shown: ["ויקיפדיה", "(2026)"],
    hidden: NOTHING,
  },
  {
    name: "Arabic and Latin mixed",
    text: "قائمة ABC مدن 123 المغرب (XYZ)!",
    shown: ["قائمة", "ABC", "(XYZ)"],
    hidden: NOTHING,
  },
  {
    name: "bidi overrides that are never closed",
    text: "invoice\u202Egnp.exe\u2066 and \u2067more\u202D",
    shown: ["invoice", "RLO", "gnp.exe", "LRI", "RLI", "LRO"],
    hidden: /[\u202a-\u202e\u2066-\u2069]/u,
  },
  {
    name: "zero-width and invisible characters",
    text: "pay\u200Bpal\u2060\uFEFF\u00AD\u200E\u061C\u2063\u3164x",
    shown: ["pay", "ZWSP", "WJ", "BOM", "SHY", "LRM", "ALM", "2063", "3164"],
    hidden: /[\u200b\u2060\ufeff\u00ad\u200e\u061c\u2063\u3164]/u,
  },
  {
    name: "text hidden in tag characters",
    text: "a\u{e0073}\u{e0061}\u{e0079}\u{e0020}\u{e0079}\u{e0065}\u{e0073}b",
    shown: ["a", "TAG s", "TAG y", "b"],
    hidden: /[\u{e0000}-\u{e007f}]/u,
  },
  {
    name: "NUL, escape codes and line breaks",
    text: "a\u0000b\u001B[31mred\u0007\r\nnext\tline\u2028end\u0085",
    shown: ["NUL", "ESC", "[31mred", "BEL", "CR", "LF", "TAB", "LSEP", "85"],
    // oxlint-disable-next-line no-control-regex
    hidden: /[\u0000-\u001f\u0085\u2028]/u,
  },
  {
    name: "emoji of several parts",
    text: "👩🏽‍🚀👨‍👩‍👧‍👦🏴󠁧󠁢󠁷󠁬󠁳󠁿🇲🇦❤️",
    shown: ["👩🏽‍🚀", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🇲🇦"],
    hidden: NOTHING,
  },
  {
    name: "half surrogate pairs",
    text: "a\uD83Db\uDC00c",
    shown: ["a\uFFFDb\uFFFDc"],
    hidden: /\p{Surrogate}/u,
  },
  {
    name: "marks stacked over a letter",
    text: `Z${"\u0335\u0322\u0348\u0360\u0489".repeat(40)}algo`,
    shown: ["Z\u0335", "algo"],
    hidden: NOTHING,
  },
  {
    name: "Chinese, Japanese and Korean",
    text: "村庄・東京都の歴史と文化・서울특별시",
    shown: ["村庄", "東京都", "서울"],
    hidden: NOTHING,
  },
  {
    name: "Thai and Devanagari clusters",
    text: "ประวัติศาสตร์ क्षत्रिय",
    shown: ["ประวัติศาสตร์", "क्षत्रिय"],
    hidden: NOTHING,
  },
  { name: "10,000 characters", text: "W".repeat(10_000), shown: ["WWWWWWWW", "…"], hidden: NOTHING },
  {
    name: "10,000 characters without a break, right-to-left",
    text: "م".repeat(10_000),
    shown: ["مممم", "…"],
    hidden: NOTHING,
  },
  { name: "only spaces", text: "   \u00A0 ", shown: [], hidden: NOTHING },
];
