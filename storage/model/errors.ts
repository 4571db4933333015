/** What the catcher must do (architecture.md "Errors"). */
export type ErrorKind = "data" | "transient" | "fatal" | "user";

/** Every error code of the product and its kind. A new error is one line here. */
export const ERROR_KINDS = {
  // source and connection
  "source-unreachable": "transient",
  "source-refused": "transient",
  "source-disconnected": "transient",
  "source-idle": "transient",
  "source-configuration": "user",
  "source-file-unreadable": "user",
  // data folder
  "data-folder-in-use": "user",
  "data-folder-unusable": "user",
  "data-folder-network": "user",
  "data-folder-too-new": "user",
  // stores
  "writer-lock-held": "fatal",
  "file-replaced": "fatal",
  "store-unreadable": "fatal",
  "catalog-held": "transient",
  "disk-full": "transient",
  "seal-mismatch": "fatal",
  "log-gone": "fatal",
  // workers
  "worker-protocol": "fatal",
  "worker-gone": "transient",
  "worker-gave-up": "user",
  // reading and asking
  "snapshot-unknown": "user",
  "table-unknown": "user",
  "statement-refused": "user",
  "statement-failed": "user",
  "statement-cancelled": "user",
  "result-gone": "user",
  "export-failed": "user",
  "settings-invalid": "user",
  usage: "user",
} as const satisfies Record<string, ErrorKind>;

/** A code of {@link ERROR_KINDS}. */
export type ErrorCode = keyof typeof ERROR_KINDS;

/** Plain facts that belong to an error: offsets, paths, status codes. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

/** An error as it crosses a process boundary. */
export type WireError = {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly details: ErrorDetails;
};

/** The only error the product throws on purpose. The message says what happened and what to do about it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: ErrorDetails } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details ?? {};
  }

  /** What the catcher must do. */
  get kind(): ErrorKind {
    return ERROR_KINDS[this.code];
  }
}

/** The form of an error that may leave the process. */
export function toWireError(error: AppError): WireError {
  return { code: error.code, kind: error.kind, message: error.message, details: error.details };
}

/** An error that came over a wire, as an error again. */
export function fromWireError(error: WireError): AppError {
  return new AppError(error.code, error.message, { details: error.details });
}
