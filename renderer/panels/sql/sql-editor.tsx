import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef, type ReactElement } from "react";
import { useStore } from "zustand";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import type { SqlRoom } from "./sql-room.ts";

/** Colours of the syntax, by the theme's variables, so that a change of theme needs nothing. */
const syntax = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--late)" },
  { tag: [tags.comment], color: "var(--text-3)", fontStyle: "italic" },
  { tag: [tags.typeName, tags.function(tags.variableName)], color: "var(--warn)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface-0)", color: "var(--text-1)" },
  "&.cm-focused": { outline: "1px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { font: "12px/18px var(--mono)" },
  ".cm-content": { caretColor: "var(--text-1)" },
  ".cm-gutters": { backgroundColor: "var(--surface-0)", color: "var(--text-3)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--surface-1)" },
  ".cm-specialChar": { color: "var(--bad)" },
});

/**
 * The statement. It stands in a shadow root: there CodeMirror adopts constructed style sheets, while in the page it would
 * write a style element, which the policy refuses. Odd characters (zero-width, no-break space) are painted as marks.
 */
export function SqlEditor({ room }: { readonly room: SqlRoom }): ReactElement {
  const { workbench } = useAppStores();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: room.store.getState().text,
        extensions: [
          lineNumbers(),
          highlightActiveLine(),
          highlightSpecialChars({ addSpecialChars: /[\u00a0\u200b-\u200f\u2028-\u202f\u2060-\u206f]/gu }),
          history(),
          keymap.of([
            { key: "Mod-Enter", run: () => true },
            ...historyKeymap,
            indentWithTab,
            ...defaultKeymap,
          ]),
          sql({ dialect: PostgreSQL, upperCaseKeywords: true }),
          syntaxHighlighting(syntax),
          look,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "SQL statement", spellcheck: "false" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) room.setText(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    // Beside another room, or on the way to one, the focus is not for the taking.
    if (workbench.getState().activePanel === "sql") editor.focus();
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [room, workbench]);
  const text = useStore(room.store, (state) => state.text);
  useEffect(() => {
    // An example or an old statement was chosen; what is typed here comes back equal.
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  return <div className="sql-editor" ref={host} data-text-field="" />;
}
