import type { Output } from "./command.ts";

/** The output of a command on the real streams. */
export function createOutput(isJson: boolean): Output {
  const isTty = process.stdout.isTTY && !isJson;
  let hasProgress = false;
  const endProgress = (): void => {
    if (hasProgress) process.stdout.write("\r\u001b[K");
    hasProgress = false;
  };
  return {
    isJson,
    isTty,
    line: (text) => {
      if (isJson) return;
      endProgress();
      process.stdout.write(`${text}\n`);
    },
    progress: (text) => {
      if (!isTty) return;
      const width = process.stdout.columns;
      process.stdout.write(`\r\u001b[K${text.length > width - 1 ? text.slice(0, width - 1) : text}`);
      hasProgress = true;
    },
    json: (value) => {
      if (isJson) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    notice: (text) => {
      endProgress();
      process.stderr.write(`${text}\n`);
    },
  };
}
