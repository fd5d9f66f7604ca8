import type { Operation } from '@sealpost/protocol'
import type { TSchema } from 'typebox'
import { Answer, type AnswerExtras } from './answer.ts'
import type { Served } from './exchange.ts'

const NOTHING: AnswerExtras = {}

export function unpackAnswer(given: unknown): { readonly body: unknown; readonly extras: AnswerExtras } {
  return given instanceof Answer ? given : { body: given, extras: NOTHING }
}

/**
 * The body as JSON text, written by the serialiser compiled from the success schema: members that the schema does not
 * declare cannot leave the process, in either format. See also `AnswerExtras.isExact`.
 */
export function answerText({ reply, route }: Served, body: unknown, { isExact }: AnswerExtras = NOTHING): string {
  if (isExact === true) return piecesOf(body).join('')
  route.serialise ??= routeSerialiser(reply, route.operation)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Fastify's type for "whatever the schema says"
  return route.serialise(body as Record<string, unknown>)
}

type Serialise = NonNullable<Served['route']['serialise']>
const serialisers = new WeakMap<object, Serialise>()

/**
 * Compiled with the first answer of a route, not when the server starts: two hundred at once took a third of the start.
 * Keyed by schema, so servers of one process share the compiled serialisers.
 */
export function serialiserOf(reply: Served['reply'], schema: TSchema): Serialise {
  const known = serialisers.get(schema)
  if (known !== undefined) return known
  const compiled: Serialise = reply.compileSerializationSchema({ ...schema })
  serialisers.set(schema, compiled)
  return compiled
}

function routeSerialiser(reply: Served['reply'], { id, success: { body } }: Operation): Serialise {
  if (body === undefined) throw new Error(`${id} has no success schema to serialise its answer with`)
  return serialiserOf(reply, body)
}

const ITEMS_AT_ONCE = 32

/**
 * An exact answer as JSON bytes. Lists are written in chunks of items: the text of a whole page would be a large
 * object, which the engine only frees in a full collection.
 */
export function exactBytes(body: unknown): Buffer {
  return Buffer.concat(piecesOf(body).map((piece) => Buffer.from(piece)))
}

function piecesOf(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.length > ITEMS_AT_ONCE) return ['[', ...itemPieces(value), ']']
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [JSON.stringify(value)]
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const pieces = members.flatMap(([name, member], index) => {
    const [first = '', ...others] = piecesOf(member)
    return [`${index === 0 ? '' : ','}${JSON.stringify(name)}:${first}`, ...others]
  })
  return ['{', ...pieces, '}']
}

function itemPieces(items: readonly unknown[]): readonly string[] {
  const pieces: string[] = []
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const list = JSON.stringify(items.slice(from, from + ITEMS_AT_ONCE))
    pieces.push(`${from === 0 ? '' : ','}${list.slice(1, -1)}`)
  }
  return pieces
}
