import { parseDefinition } from '@sealpost/flow'
import type { Dice } from '@sealpost/testkit/dice'
import { Mismatch } from '../flows/mismatch.ts'
import { FACTS } from '../flows/names.ts'
import { randomFlow } from '../flows/random-flow.ts'
import { namedTags, sealTagValues, type SharedValue } from '../flows/tag-values.ts'
import type { ModelUser } from '../flows/user.ts'
import { walkFlow } from '../flows/walk.ts'
import type { WrittenFlow } from '../flows/written.ts'
import type { Company, KeyPool } from './key-pool.ts'

const TODAY = '2026-03-01'

/** A run as its parties seal it, and what the relay sends to each of them. */
export interface RelayedRun {
  readonly company: Company
  /** The company's service and the customers, each once. */
  readonly readers: readonly ModelUser[]
  /** By the id of a reader. */
  readonly sent: ReadonlyMap<string, readonly unknown[]>
  /** The plaintexts that a reader must find, by the id of the reader. */
  readonly expected: ReadonlyMap<string, readonly string[]>
}

/** Plays a random flow to its end; every answer has one copy per reader, and the relay sends each reader its own. */
export async function relayRun(dice: Dice, pool: KeyPool): Promise<RelayedRun> {
  const flow = randomFlow(dice, FACTS)
  const company = dice.pick(pool.companies)
  const cast = castReaders(dice, flow, pool)
  const readers = [company.service, ...new Set(cast.values())]
  const sent = new Map<string, unknown[]>(readers.map(({ userId }) => [userId, [{ definition: flow }]]))
  const expected = new Map<string, string[]>(readers.map(({ userId }) => [userId, []]))
  await sealTags(dice, { flow, company, cast, readers }, { sent, expected })
  const { turns } = walkFlow(dice, { flow, definition: definitionOf(flow), today: TODAY })
  for (const { slug, text } of turns.flatMap(({ answers }) => answers))
    for (const reader of readers) {
      sent.get(reader.userId)?.push({ slug, for_user_id: reader.userId, value: await reader.seal(text) })
      expected.get(reader.userId)?.push(text)
    }
  return { company, readers, sent, expected }
}

function castReaders(dice: Dice, { parties }: WrittenFlow, { customers }: KeyPool): ReadonlyMap<string, ModelUser> {
  return new Map(parties.flatMap(({ key }) => (key === 'us' ? [] : [[key, dice.pick(customers)] as const])))
}

interface Bound {
  readonly flow: WrittenFlow
  readonly company: Company
  readonly cast: ReadonlyMap<string, ModelUser>
  readonly readers: readonly ModelUser[]
}

interface Books {
  readonly sent: ReadonlyMap<string, unknown[]>
  readonly expected: ReadonlyMap<string, string[]>
}

function wire(text: string): object {
  return { v: text, t: 'text' }
}

/** Values of customers in texts: all see those that are not private, the others only their owner and the company. */
async function sealTags(dice: Dice, { flow, company, cast, readers }: Bound, books: Books): Promise<void> {
  const values = namedTags(flow).flatMap(({ party, field }): readonly SharedValue[] => {
    const userId = cast.get(party)?.userId
    if (userId === undefined) return []
    return [{ tag: `${party}.${field}`, userId, text: `shared ${dice.text(8)}`, isPrivate: dice.chance(0.5) }]
  })
  if (values.length === 0) return
  const customers = readers.filter((reader) => reader !== company.service)
  const entries = await sealTagValues(company.service, customers, values)
  const open = values.filter(({ isPrivate }) => !isPrivate)
  for (const reader of readers) {
    const isCompany = reader === company.service
    books.sent.get(reader.userId)?.push({ tag_values: entries[isCompany ? 'company' : reader.userId] })
    const own = values.filter(({ isPrivate, userId }) => isPrivate && (isCompany || userId === reader.userId))
    books.expected
      .get(reader.userId)
      ?.push(
        JSON.stringify(Object.fromEntries(open.map(({ tag, text }) => [tag, wire(text)]))),
        ...own.map(({ text }) => JSON.stringify(wire(text))),
      )
  }
}

function definitionOf(flow: WrittenFlow) {
  const parsed = parseDefinition(flow)
  if (!parsed.ok) throw new Mismatch(`not readable: ${JSON.stringify(parsed.refusal)}`)
  return parsed.value
}
