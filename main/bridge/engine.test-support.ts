import type { AppStatus } from "#main/contract/app-status.ts";
import type { QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import { AppError } from "#storage/model/errors.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { exampleSettings, exampleStatus } from "./status.test-support.ts";

/** An engine without workers: answers queries with what it is given and writes down what it is told. */
export function fakeEngine(answer: (request: QueryRequest) => QueryResponse | AppError): {
  engine: Engine;
  told: string[];
  announce: (status: AppStatus) => void;
} {
  const told: string[] = [];
  const listeners = new Set<(status: AppStatus) => void>();
  const engine: Engine = {
    status: () => exampleStatus(),
    onStatus: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    query: async (request) => {
      const response = answer(request);
      if (response instanceof AppError) throw response;
      return response;
    },
    pause: () => void told.push("pause"),
    resume: () => void told.push("resume"),
    retry: () => void told.push("retry"),
    settings: () => exampleSettings(),
    saveSettings: async (text) => {
      told.push(`save ${text}`);
      return exampleSettings();
    },
    stopSource: async () => void told.push("stop source"),
    startSource: () => void told.push("start source"),
    switchTo: async (target) =>
      void told.push(`switch to ${typeof target === "string" ? target : target.path}`),
    isSwitching: () => false,
    kill: () => false,
    armFailpoint: () => ({ armed: false, reason: "no workers here" }),
    disarmFailpoint: () => undefined,
    done: new Promise(() => undefined),
    stop: async () => void told.push("stop"),
  };
  return {
    engine,
    told,
    announce: (status) => {
      for (const listener of listeners) listener(status);
    },
  };
}
