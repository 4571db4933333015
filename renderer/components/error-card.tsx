import type { ReactElement } from "react";
import { Icon } from "./icon.tsx";

type Props = {
  readonly title: string;
  readonly detail: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
};

/** Something went wrong: what, why, and the one thing to do. The text can be copied. */
export function ErrorCard({ title, detail, action }: Props): ReactElement {
  return (
    <div className="card error-card" role="alert">
      <h2>
        <Icon name="error" /> {title}
      </h2>
      <p className="selectable">{detail}</p>
      <div className="buttons">
        {action === null ? null : (
          <button type="button" className="primary" onClick={action.run}>
            {action.label}
          </button>
        )}
        <button type="button" onClick={() => void navigator.clipboard.writeText(`${title}\n${detail}`)}>
          Copy
        </button>
      </div>
    </div>
  );
}
