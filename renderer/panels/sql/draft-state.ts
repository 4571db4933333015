import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { INVISIBLE_CHARACTERS, nameOf } from "./invisible-characters.ts";
import { sqlLanguage } from "./sql-language.ts";
import { statementMarks } from "./statement-marks.ts";

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface-0)", color: "var(--text-1)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    font: "12px/18px var(--mono)",
    scrollbarColor: "var(--surface-3) transparent",
    scrollbarWidth: "thin",
  },
  ".cm-content": { caretColor: "var(--text-1)", padding: "6px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text-1)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-gutters": { backgroundColor: "var(--surface-0)", color: "var(--text-3)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "28px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { boxShadow: "inset 0 1px var(--line), inset 0 -1px var(--line)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--selection)",
    outline: "1px solid var(--line)",
  },
  ".cm-invisible": {
    margin: "0 1px",
    padding: "0 2px",
    border: "1px solid var(--warn)",
    borderRadius: "3px",
    color: "var(--warn)",
    fontSize: "10px",
  },
  ".cm-errorPlace": {
    textDecoration: "underline wavy var(--bad) 1px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-signs .cm-gutterElement": { width: "16px", textAlign: "center", cursor: "default" },
  ".cm-sign-running": { color: "var(--accent)" },
  ".cm-sign-done": { color: "var(--ok)" },
  ".cm-sign-cancelled": { color: "var(--text-2)" },
  ".cm-sign-failed": { color: "var(--bad)" },
  ".cm-bars .cm-gutterElement": { width: "3px", marginRight: "4px" },
  ".cm-bar-current": { backgroundColor: "var(--line)" },
  ".cm-bar-running": { backgroundColor: "var(--accent)" },
  ".cm-bar-done": { backgroundColor: "var(--ok)" },
  ".cm-bar-cancelled": { backgroundColor: "var(--text-3)" },
  ".cm-bar-failed": { backgroundColor: "var(--bad)" },
});

/** A short word for a character that nobody sees, with its name in the tooltip. */
function paintInvisible(code: number): HTMLElement {
  const mark = document.createElement("span");
  const name = nameOf(code);
  mark.className = "cm-invisible";
  mark.textContent = name.split(" ").length > 1 ? initials(name) : name;
  mark.title = `${name}: nobody sees it, the database does`;
  mark.setAttribute("aria-label", name);
  return mark;
}

/** `U+200B zero width space` → `ZWS`. */
function initials(name: string): string {
  return name
    .split(/[ -]/u)
    .slice(1)
    .map((word) => word.charAt(0).toUpperCase())
    .join("");
}

const extensions: Extension = [
  lineNumbers(),
  statementMarks,
  drawSelection(),
  highlightActiveLine(),
  bracketMatching(),
  highlightSpecialChars({ specialChars: INVISIBLE_CHARACTERS, render: paintInvisible }),
  history(),
  keymap.of([
    // The window's own command (run), whatever CodeMirror would make of it.
    { key: "Mod-Enter", run: () => true },
    ...historyKeymap,
    indentWithTab,
    ...defaultKeymap,
  ]),
  sqlLanguage,
  look,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": "SQL statement", spellcheck: "false" }),
];

/** The editor's state of one draft, with its own undo history; lives on while another draft is shown. */
export function createDraftState(
  text: string,
  selection: { readonly anchor: number; readonly head: number },
  onChange: (state: EditorState) => void,
): EditorState {
  const within = (position: number): number => Math.min(text.length, Math.max(0, position));
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged || update.selectionSet) onChange(update.state);
  });
  // Line ends are kept as one character each, so that places in the text are the same here and in what is sent.
  const doc = text.replaceAll(/\r\n?/gu, "\n");
  return EditorState.create({
    doc,
    selection: {
      anchor: within(Math.min(selection.anchor, doc.length)),
      head: within(Math.min(selection.head, doc.length)),
    },
    extensions: [extensions, listener],
  });
}
