import { type LogFile, openLogFile } from "#storage/files/log-file.ts";
import type { WorkerName } from "#pipeline/protocol/worker-messages.ts";

/** Readable log files, one for each worker and one for main, opened when their first line comes. */
export class WorkerLogs {
  readonly #folder: string;
  readonly #files = new Map<string, LogFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  write(name: WorkerName | "main", level: "info" | "warn" | "error", line: string): void {
    let file = this.#files.get(name);
    if (file === undefined) {
      file = openLogFile({ folder: this.#folder, name });
      this.#files.set(name, file);
    }
    file.write(level, line);
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }
}
