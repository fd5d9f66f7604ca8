import { Answer, type AnswerExtras } from './answer.ts'
import type { Served } from './exchange.ts'

const NOTHING: AnswerExtras = {}

export function unpackAnswer(given: unknown): { readonly body: unknown; readonly extras: AnswerExtras } {
  return given instanceof Answer ? given : { body: given, extras: NOTHING }
}

/**
 * The body as JSON text, written by the serialiser compiled from the success schema: members that the schema does not
 * declare cannot leave the process, in whatever format the text ends up.
 */
export function answerText({ reply, route }: Served, body: unknown): string {
  route.serialise ??= reply.getSerializationFunction(String(route.operation.success.status)) ?? null
  if (route.serialise === null) throw new Error(`${route.operation.id} has no schema to write its answer by`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Fastify's type for "whatever the schema says"
  return route.serialise(body as Record<string, unknown>)
}
