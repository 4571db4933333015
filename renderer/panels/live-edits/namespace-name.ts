/** MediaWiki's own namespaces, which every wiki has under the same number; wikis add others from 100 on. */
const NAMES: Readonly<Record<number, string>> = {
  [-2]: "Media",
  [-1]: "Special",
  0: "articles",
  1: "Talk",
  2: "User",
  3: "User talk",
  4: "Project",
  5: "Project talk",
  6: "File",
  7: "File talk",
  8: "MediaWiki",
  9: "MediaWiki talk",
  10: "Template",
  11: "Template talk",
  12: "Help",
  13: "Help talk",
  14: "Category",
  15: "Category talk",
};

/** What a namespace is called on every wiki; odd numbers are the talk pages of the number before. */
export function namespaceName(namespace: number): string {
  return NAMES[namespace] ?? (namespace % 2 === 0 ? "of its wiki" : "talk, of its wiki");
}
