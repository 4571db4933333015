import type { ReactElement } from "react";

/** An icon of the codicons font, by its name there; decorative, so a word must stand beside it or in a label. */
export function Icon({ name }: { readonly name: string }): ReactElement {
  return <span className={`codicon codicon-${name}`} aria-hidden="true" />;
}
