import type { QueryProgress, QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import { AppError } from "#storage/model/errors.ts";
import type { Engine } from "../engine/engine-contract.ts";

type Response<Ask extends QueryRequest["ask"]> = Extract<QueryResponse, { readonly ask: Ask }>;

function isAnswerTo<Ask extends QueryRequest["ask"]>(
  response: QueryResponse,
  ask: Ask,
): response is Response<Ask> {
  return response.ask === ask;
}

/** Asks the query worker; the answer has the type of the question. Throws `worker-protocol` where it is another's. */
export async function askEngine<Ask extends QueryRequest["ask"]>(
  engine: Pick<Engine, "query">,
  request: Extract<QueryRequest, { readonly ask: Ask }>,
  signal?: AbortSignal,
  onProgress?: (progress: QueryProgress) => void,
): Promise<Response<Ask>> {
  const response = await engine.query(request, signal, onProgress);
  if (isAnswerTo<Ask>(response, request.ask)) return response;
  throw new AppError("worker-protocol", `the query worker answered ${response.ask} to ${request.ask}`);
}
