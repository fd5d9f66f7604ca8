import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { openDice } from '@sealpost/testkit/dice'
import type { Counts } from '../flows/counts.ts'
import { Mismatch } from '../flows/mismatch.ts'
import type { ModelUser } from '../flows/user.ts'
import type { KeyPool } from './key-pool.ts'
import { type RelayedRun, relayRun } from './relayed-run.ts'

const platform = createCryptoPlatform(globalThis)
/** Of another run, so many ciphertexts are tried with each key. */
const FOREIGN = 4

/** Tries everything that was sent in one run with every key of its readers, and with keys of strangers. */
export async function tryRun(seed: number, pool: KeyPool, counts: Counts): Promise<void> {
  const dice = openDice(seed)
  const run = await relayRun(dice, pool)
  const sealed = new Map(run.readers.map(({ userId }) => [userId, wrappersIn(run.sent.get(userId))]))
  const all = [...sealed.values()].flat()
  for (const reader of run.readers) await tryOwn(reader, run, sealed.get(reader.userId) ?? [], counts)
  for (const reader of run.readers) {
    const own = new Set(sealed.get(reader.userId))
    const others = all.filter((wrapper) => !own.has(wrapper))
    await mustOpenNone(`${reader.userId} on copies of others`, reader, others, counts)
  }
  await mustOpenNone('the account key of the company', run.company.account, all, counts)
  const strangers = [...pool.customers, ...pool.companies.map(({ service }) => service)].filter(
    (user) => !run.readers.includes(user),
  )
  const some = all.length === 0 ? [] : Array.from({ length: FOREIGN }, () => dice.pick(all))
  for (const stranger of strangers) await mustOpenNone('a stranger', stranger, some, counts)
  counts.add('runs')
}

/** A reader opens its copy of every answer, and of the tag values what it may read; nothing else was sent to it. */
async function tryOwn(reader: ModelUser, run: RelayedRun, wrappers: readonly string[], counts: Counts): Promise<void> {
  const opened = await Promise.all(wrappers.map((wrapper) => reader.open(wrapper)))
  const texts = opened.filter((text) => text !== null).toSorted()
  const wanted = (run.expected.get(reader.userId) ?? []).toSorted()
  counts.add('opened', texts.length)
  if (texts.length !== wrappers.length) throw new Mismatch(`${reader.userId} was sent a copy that it cannot open`)
  if (texts.join('\n') !== wanted.join('\n'))
    throw new Mismatch(`${reader.userId} opens ${JSON.stringify(texts)}, not ${JSON.stringify(wanted)}`)
}

async function mustOpenNone(what: string, user: ModelUser, wrappers: readonly string[], counts: Counts): Promise<void> {
  const opened = await Promise.all(wrappers.map((wrapper) => user.open(wrapper)))
  counts.add('refused', opened.length)
  const found = opened.find((text) => text !== null)
  if (found !== undefined) throw new Mismatch(`${what} opens ${found}`)
}

/** Every sealed text in a value, at any depth, also inside of texts. */
export function wrappersIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return isWrapper(platform, value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(wrappersIn)
}
