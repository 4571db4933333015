import { useEffect, useState, type ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";

/** Tabs are dragged over the window too; only files have this type. */
function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** The whole window takes recordings that are dropped onto it, and says so while one hovers. */
export function DropTarget(): ReactElement | null {
  const { sources } = useAppStores();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      void sources.openDropped([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("dragleave", onDragLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("dragleave", onDragLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, [sources]);
  if (!isOver) return null;
  return (
    <div className="drop-target">
      <p>
        <Icon name="folder-opened" /> Drop a recording to read it
      </p>
    </div>
  );
}
