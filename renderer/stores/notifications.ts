import { createStore, type StoreApi } from "zustand/vanilla";

/** Something to do about a notification; it closes the notification unless it says otherwise. */
export type NotificationAction = {
  readonly label: string;
  readonly run: () => void;
  readonly keepsOpen?: boolean;
};

/** How far a long work is: `done` from 0 to 1, null where nobody can tell. */
export type Progress = { readonly done: number | null; readonly text: string };

/** Something the app has to say to the one who asked: an outcome, or a work under way. */
export type Notification = {
  readonly id: string;
  readonly tone: "info" | "ok" | "warn" | "bad";
  readonly text: string;
  /** Cause and remedy, or what was made; shown below the text and copied with it. */
  readonly detail?: string;
  /** Set while the work runs; such a notification does not go by itself. */
  readonly progress: Progress | null;
  readonly actions: readonly NotificationAction[];
  readonly atMs: number;
};

/** What a caller says; the rest is filled in. */
export type NewNotification = Pick<Notification, "tone" | "text"> &
  Partial<Pick<Notification, "detail" | "progress" | "actions">>;

/** Notifications on screen and remembered; `seen` ones are read in the list of the bell only. */
export type NotificationsState = {
  readonly open: readonly Notification[];
  readonly past: readonly Notification[];
};

/** On screen at once; an older one that is over makes room and stays in the list. */
const MAX_OPEN = 4;
/** Remembered for the list behind the bell. */
const MAX_PAST = 50;
/** A good outcome goes by itself; errors and works under way stay until they are closed. */
const GOES_AFTER_MS = 8_000;

/** Notifications of one window, newest first. Outcomes that are not errors go by themselves; nothing else does. */
export class Notifications {
  readonly store: StoreApi<NotificationsState> = createStore<NotificationsState>(() => ({
    open: [],
    past: [],
  }));
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #count = 0;

  /** Shows a notification and returns its id. */
  tell(given: NewNotification): string {
    this.#count += 1;
    const id = `notification-${this.#count}`;
    const told = { progress: null, actions: [], ...given, id, atMs: Date.now() };
    this.store.setState(({ open }) => ({ open: [told, ...open] }));
    this.#makeRoom();
    this.#goLater(told);
    return id;
  }

  /** Changes one that is on screen: a step of its work, or how it ended. One that was closed is shown again when it ends. */
  change(id: string, change: Partial<NewNotification>): void {
    const { open, past } = this.store.getState();
    const known = open.find((one) => one.id === id) ?? past.find((one) => one.id === id);
    if (known === undefined) return;
    const changed = { ...known, ...change };
    const isOpen = open.some((one) => one.id === id);
    const endedUnseen = !isOpen && known.progress !== null && changed.progress === null;
    const replace = (one: Notification): Notification => (one.id === id ? changed : one);
    if (endedUnseen) {
      this.store.setState({ open: [changed, ...open], past: past.filter((one) => one.id !== id) });
      this.#makeRoom();
    } else this.store.setState({ open: open.map(replace), past: past.map(replace) });
    this.#goLater(changed);
  }

  /** Takes one from the screen; it stays in the list. */
  close(id: string): void {
    const timer = this.#timers.get(id);
    if (timer !== undefined) clearTimeout(timer);
    this.#timers.delete(id);
    this.store.setState(({ open, past }) => {
      const closed = open.filter((one) => one.id === id);
      return { open: open.filter((one) => one.id !== id), past: [...closed, ...past].slice(0, MAX_PAST) };
    });
  }

  /** Takes one away as if it had never been: nothing happened that would be worth a line. */
  remove(id: string): void {
    this.store.setState(({ open, past }) => ({
      open: open.filter((one) => one.id !== id),
      past: past.filter((one) => one.id !== id),
    }));
  }

  /** Closes the newest; false where none is open. */
  closeNewest(): boolean {
    const [newest] = this.store.getState().open;
    if (newest === undefined) return false;
    this.close(newest.id);
    return true;
  }

  #makeRoom(): void {
    const { open } = this.store.getState();
    const over = open.filter(({ progress }) => progress === null);
    if (open.length > MAX_OPEN) this.close(over.at(-1)?.id ?? open.at(-1)?.id ?? "");
  }

  #goLater({ id, tone, progress }: Notification): void {
    const timer = this.#timers.get(id);
    if (timer !== undefined) clearTimeout(timer);
    this.#timers.delete(id);
    if (progress !== null || tone === "bad" || tone === "warn") return;
    this.#timers.set(
      id,
      setTimeout(() => this.close(id), GOES_AFTER_MS),
    );
  }
}
