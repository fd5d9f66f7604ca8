import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { openPlaces } from '@sealpost/kernel'
import type { TSchema } from 'typebox'
import { serialiserOf } from './answer-text.ts'
import { logCut } from './cut-answer.ts'
import type { Served } from './exchange.ts'
import type { ListAnswer, ListSource } from './list-answer.ts'
import { JSON_TYPE, reportBreach, wantsXml, XML_TYPE } from './refusal.ts'
import { startXml, xmlElement, xmlMembers } from './xml.ts'

/** About 8 MB, as the wire says. */
const PAGE_BYTES = 8_000_000
/** Text that is written in one turn of the event loop. */
const TURN_CHARACTERS = 262_144

/**
 * [Note: lists in pieces] The items of a list are written one after another and other calls get their turn in between:
 * the text of a large page in one piece would hold every other call of the process. Large lists rest twice as long as
 * they work, in one line for the whole process. A page that ends at a size is complete before its first byte is sent;
 * one that has to hold everything is sent as it is made, at the speed of its reader.
 */
export async function sendList(exchange: Served, { source }: ListAnswer<unknown>): Promise<void> {
  const { reply, route } = exchange
  const isXml = wantsXml(exchange, route)
  const work: Work = { ms: 0 }
  const pieces = inTurns(listPieces(exchange, source, isXml ? XML_FORM : JSON_FORM, work), work)
  // The first items are read before the status is chosen: most failures still become a proper refusal.
  const first = await pieces.next()
  const made = resumed(first, pieces)
  const parts = source.endsAtSize ? await collected(made) : null
  if (parts !== null) reply.header('content-length', lengthOf(parts))
  const [only] = parts?.length === 1 ? parts : []
  const body = only ?? Readable.from(parts ?? made, BYTES)
  if (body instanceof Readable) logCut(exchange, body)
  reply
    .code(route.operation.success.status)
    .header('content-type', isXml ? XML_TYPE : JSON_TYPE)
    .send(body)
}

const BYTES = { objectMode: false } as const

type Pieces = AsyncGenerator<string, void, undefined>

/** Not joined: a reader takes the page part by part, and each part can be freed when it is sent. */
async function collected(pieces: AsyncGenerator<Buffer>): Promise<readonly Buffer[]> {
  const parts: Buffer[] = []
  for await (const piece of pieces) parts.push(piece)
  return parts
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

async function* resumed(first: IteratorResult<string, void>, pieces: Pieces): AsyncGenerator<Buffer> {
  if (first.done !== true) yield Buffer.from(first.value)
  for await (const piece of pieces) yield Buffer.from(piece)
}

/** The time that a list has used since it last rested. */
interface Work {
  ms: number
}

/** Joins small pieces and rests after each. */
async function* inTurns(pieces: Pieces, work: Work): Pieces {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < TURN_CHARACTERS) continue
    yield text
    text = ''
    await pauseAfter(work)
  }
  if (text !== '') yield text
}

/** One list of the process rests at a time, so however many are read, they use a third of its time together. */
const resting = openPlaces(1)
const RESTED_PER_WORKED = 2

async function pauseAfter(work: Work): Promise<void> {
  await resting.take().granted
  const ms = work.ms * RESTED_PER_WORKED
  work.ms = 0
  try {
    await pause(ms)
  } finally {
    resting.put()
  }
}

/** How a list is written around the JSON texts of its items. */
interface Form {
  start(member: string): string
  item(json: string, isFirst: boolean): string
  end(member: string, rest: Readonly<Record<string, unknown>>): string
}

const JSON_FORM: Form = {
  start: (member) => `{${JSON.stringify(member)}:[`,
  item: (json, isFirst) => (isFirst ? json : `,${json}`),
  end: (_member, rest) => `],${JSON.stringify(rest).slice(1)}`,
}

const XML_FORM: Form = {
  start: (member) => `${startXml()}<response><${member}>`,
  item: (json) => xmlElement('item', JSON.parse(json)),
  end: (member, rest) => `</${member}>${xmlMembers(rest)}</response>`,
}

async function* listPieces(exchange: Served, source: ListSource, form: Form, work: Work): Pieces {
  const { member } = source
  const serialise = itemSerialiser(exchange, member)
  const most = source.endsAtSize ? (exchange.options.pageBytes ?? PAGE_BYTES) : Infinity
  let [written, bytes] = [0, 0]
  yield form.start(member)
  pages: for (let batch = await source.next(); batch !== null; batch = await source.next()) {
    requireContract(exchange, { [member]: batch, ...EMPTY_REST, ...source.furtherMembers })
    for (const item of batch) {
      const began = performance.now()
      const json = serialise(item)
      bytes += Buffer.byteLength(json)
      if (bytes > most && written > 0) break pages
      const piece = form.item(json, written === 0)
      work.ms += performance.now() - began
      yield piece
      written += 1
    }
  }
  const rest = await source.rest(written)
  requireContract(exchange, { [member]: [], ...rest })
  yield form.end(member, rest)
}

const EMPTY_REST = { total: 0, next_cursor: null }

/** See [Note: strict contract]. */
function requireContract(exchange: Served, body: object): void {
  const breach = exchange.route.contract?.breachOfBody(body) ?? null
  if (breach !== null) throw reportBreach(exchange, breach)
}

function itemSerialiser(exchange: Served, member: string): (item: unknown) => string {
  const { id, success } = exchange.route.operation
  const list: unknown = Reflect.get(Reflect.get(success.body ?? {}, 'properties') ?? {}, member)
  const schema: unknown = typeof list === 'object' && list !== null ? Reflect.get(list, 'items') : undefined
  if (!isSchema(schema)) throw new Error(`${id} has no list named ${member} in its success schema`)
  const serialise = serialiserOf(exchange.reply, schema)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Fastify's type for "whatever the schema says"
  return (item) => serialise(item as Record<string, unknown>)
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null
}
