import { EditorView } from "@codemirror/view";
import { useEffect, useRef, type ReactElement } from "react";
import { useStore } from "zustand";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import type { SqlRoom } from "./sql-room.ts";

/**
 * The text of the draft that is shown. It stands in a shadow root: there CodeMirror adopts constructed style sheets, while in
 * the page it would write a style element, which the policy refuses.
 */
export function SqlEditor({ room }: { readonly room: SqlRoom }): ReactElement {
  const { workbench } = useAppStores();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const activeId = useStore(room.store, (state) => state.activeId);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const editor = new EditorView({ root, parent: root });
    view.current = editor;
    return () => {
      room.editors.hide();
      view.current = null;
      editor.destroy();
    };
  }, [room]);
  useEffect(() => {
    if (view.current === null) return;
    room.editors.show(activeId, view.current);
    // Beside another room, or on the way to one, the focus is not for the taking.
    if (workbench.getState().activePanel === "sql") view.current.focus();
  }, [room, workbench, activeId]);
  return <div className="sql-editor" ref={host} data-text-field="" />;
}
