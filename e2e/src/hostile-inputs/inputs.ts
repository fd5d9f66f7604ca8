import type { Dice } from '@sealpost/testkit/dice'
import { isKnown, type MatrixCaller } from '../matrix/callers.ts'
import { outgoingOf } from '../matrix/cells.ts'
import type { Parts } from '../matrix/example.ts'
import { PLACES } from '../matrix/expectation.ts'
import type { Outgoing } from '../matrix/send.ts'
import type { World, WorldOwner } from '../matrix/world.ts'
import { hostileText, hostileValue, type Json } from './atoms.ts'
import { valueOf } from './grammar.ts'
import { isObject, mutate } from './mutate.ts'
import type { HostileRoute } from './routes.ts'

/** Requests that a route accepts, recorded once for each owner. */
export type Recorded = (route: HostileRoute, owner: WorldOwner) => Parts | undefined

/** What the inputs are made of. */
export interface Ground {
  readonly world: World
  readonly routes: readonly HostileRoute[]
  readonly recorded: Recorded
  /** Ids of tenants that no caller has to do with: inputs contain them. */
  readonly baits: readonly string[]
}

export interface Input {
  readonly caller: MatrixCaller<WorldOwner>
  readonly outgoing: Outgoing
}

/** One request: by the grammar of the documents, or recorded and mutated; some are then damaged as text. */
export function makeInput(dice: Dice, { world, routes, recorded, baits }: Ground): Input {
  const route = dice.pick(routes)
  const caller = dice.pick(world.callers)
  const owner = isKnown(caller) ? caller.owner : world.owner
  const known = recorded(route, dice.chance(0.9) ? owner : world.owner)
  const parts = known === undefined || dice.chance(0.4) ? grown(dice, route, known) : mutated(dice, known, baits)
  const place = dice.chance(0.85) ? 'home' : dice.pick(PLACES)
  const sent = route.route.isForm ? { ...parts, body: asForm(parts.body) } : parts
  return { caller, outgoing: damage(dice, outgoingOf(world, route.route, caller, place, sent)) }
}

function grown(dice: Dice, { route, body, query, definitions }: HostileRoute, known: Parts | undefined): Parts {
  const isRealPath = known?.params !== undefined && dice.chance(0.7)
  const params = isRealPath
    ? known.params
    : Object.fromEntries(route.params.map((name) => [name, hostileText(dice).toWellFormed()]))
  const asked = query.filter(() => dice.chance(0.5))
  return {
    ...(params === undefined ? {} : { params }),
    query: Object.fromEntries(asked.map(({ name, schema }) => [name, asText(valueOf(dice, schema, definitions))])),
    ...(body === null ? {} : { body: asBody(valueOf(dice, body, definitions)) }),
    headers: oddHeaders(dice),
  }
}

function mutated(dice: Dice, known: Parts, baits: readonly string[]): Parts {
  const changes = 1 + dice.below(3)
  let { body, params } = known
  for (let at = 0; at < changes; at += 1) {
    if (params !== undefined && dice.chance(0.2)) params = asParams(mutate(dice, params, baits))
    else if (body !== undefined) body = asBody(mutate(dice, asJson(body), baits))
  }
  return {
    ...known,
    ...(params === undefined ? {} : { params }),
    ...(body === undefined ? {} : { body }),
    headers: { ...known.headers, ...oddHeaders(dice) },
  }
}

const ODD_HEADERS: readonly [Readonly<Record<string, string>>, ...Readonly<Record<string, string>>[]] = [
  { accept: 'application/xml' },
  { accept: 'application/xml;q=0.5, application/json;q=0.4' },
  { accept: '*/*;q=0' },
  { accept: 'text/html' },
  { 'content-type': 'application/xml' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-encoding': 'gzip' },
  { 'idempotency-key': 'k' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'x-request-id': '../../x' },
  { 'x-forwarded-for': '10.0.0.1, ::1, unknown' },
  { range: 'bytes=0-0,-1' },
  { 'if-none-match': '*' },
  { cookie: '__Secure-session_person=a; __Secure-session_company=b' },
  { origin: 'https://evil.example' },
  { expect: '100-continue' },
]

function oddHeaders(dice: Dice): Readonly<Record<string, string>> {
  return dice.chance(0.2) ? dice.pick(ODD_HEADERS) : {}
}

/** Some bodies are broken as text: cut, prefixed, doubled, or not JSON at all. */
function damage(dice: Dice, outgoing: Outgoing): Outgoing {
  const { body } = outgoing
  if (body === null || !dice.chance(0.12)) return outgoing
  switch (dice.below(8)) {
    case 0:
      return { ...outgoing, body: body.slice(0, dice.below(body.length)) }
    case 1:
      return { ...outgoing, body: `\ufeff${body}` }
    case 2:
      return { ...outgoing, body: `${body}${body}` }
    case 3:
      return { ...outgoing, body: '['.repeat(dice.pick([10, 5_000, 60_000])) }
    case 4:
      return { ...outgoing, body: body.replace('{', '{"__proto__":{"isAdmin":true},') }
    case 5:
      return { ...outgoing, body: body.replace(/"[^"]*"/, '1e999') }
    case 6:
      return { ...outgoing, body: body.replace(/:/, ':"\\ud800\\u0000",') }
    default:
      return { ...outgoing, body: asText(hostileValue(dice)) }
  }
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `Parts` calls a body an object; a hostile one need not be. */
function asBody(value: Json): NonNullable<Parts['body']> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is only written as JSON or as a form
  return value as NonNullable<Parts['body']>
}

/** A form has members only. */
function asForm(body: Parts['body']): NonNullable<Parts['body']> {
  const json = body === undefined ? null : asJson(body)
  if (!isObject(json)) return {}
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, asText(value)]))
}

function asJson(body: NonNullable<Parts['body']>): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- examples are written as JSON
  return body as Json
}

function asParams(value: Json): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, asText(text).toWellFormed()]))
}
