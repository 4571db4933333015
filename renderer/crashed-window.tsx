import type { ReactElement } from "react";
import { ErrorCard } from "./components/error-card.tsx";

/** What main loads after the page's process ended: never a white window. */
export function CrashedWindow({ reason }: { readonly reason: string }): ReactElement {
  return (
    <div className="crashed">
      <ErrorCard
        title="The window crashed"
        detail={`Its process ended (${reason}). The stream is not affected: it is taken, kept and committed as before.`}
        action={{ label: "Load the window again", run: () => window.location.assign("index.html") }}
      />
    </div>
  );
}
