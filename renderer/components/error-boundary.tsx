import { Component, type ReactNode } from "react";
import { ErrorCard } from "./error-card.tsx";

type Props = { readonly name: string; readonly children: ReactNode };
type State = { readonly error: Error | null };

/** Keeps a bug in one panel from emptying the window: a card takes its place and can build it again. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <ErrorCard
        title={`${this.props.name} stopped because of a bug`}
        detail={`${error.message}\nThe stream is not affected.\n${error.stack ?? ""}`}
        action={{ label: `Open ${this.props.name} again`, run: () => this.setState({ error: null }) }}
      />
    );
  }
}
