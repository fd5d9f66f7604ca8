import { systemIds } from '@sealpost/process'
import { type Answer, type Calls, listOf } from '@sealpost/testkit'
import type { Tally } from './calls.ts'

/** What the writers of the load know about each of their writes, compared with what is stored. */
export interface Ledger {
  /** Stored values that were neither acknowledged last nor of unknown outcome. */
  wrongValues: number
  readonly acknowledged: { renames: number; creations: number }
}

/** A writer that changes one value again and again, each time after the answer to the last change. */
export interface Renamer {
  step(): Promise<void>
  /** Whether the stored name is one that it may be; throws if it cannot be read. */
  verify(): Promise<boolean>
}

export function openLedger(): Ledger {
  return { wrongValues: 0, acknowledged: { renames: 0, creations: 0 } }
}

export function openRenamer(ledger: Ledger, tally: Tally, call: Calls, firstName: string): Renamer {
  let number = 0
  let possible = new Set([firstName])
  let isCertain = true

  const read = async (): Promise<Answer> => call('GET', '/api/profile')
  const compare = ({ body }: Answer): boolean => {
    const isRight = possible.has(String(body['display_name']))
    if (!isRight) ledger.wrongValues += 1
    return isRight
  }
  return {
    async step() {
      if (!isCertain) {
        const reading = read()
        if ((await tally.judge('read', reading)) !== 'done') return
        compare(await reading)
        isCertain = true
      }
      number += 1
      const name = `Name ${number}`
      const verdict = await tally.judge('rename', call('PUT', '/api/profile', { body: { display_name: name } }))
      if (verdict === 'done') {
        ledger.acknowledged.renames += 1
        possible = new Set([name])
        return
      }
      isCertain = false
      // An earlier one of unknown outcome may still be stored by an engine that is frozen.
      if (verdict === 'unknown') possible.add(name)
    },
    async verify() {
      const answer = await read()
      if (answer.status !== 200) throw new Error(`the profile cannot be read: ${answer.status} ${answer.text}`)
      return compare(answer)
    },
  }
}

/** A writer that creates rows, each with its Idempotency-Key, and repeats a refused creation with the same key. */
export interface Creator {
  step(): Promise<void>
  /** Rows that were not acknowledged, or acknowledged and missing, or there twice. */
  countFaults(): Promise<{ readonly lost: number; readonly unexpected: number }>
}

/** The platform allows 200 fields per account. */
const MOST_FIELDS = 190

export function openCreator(ledger: Ledger, tally: Tally, accounts: readonly Calls[]): Creator {
  const created = accounts.map(() => new Set<string>())
  let pending: { readonly key: string; readonly label: string; readonly account: number } | null = null
  let number = 0
  return {
    async step() {
      const account = created.findIndex((labels) => labels.size < MOST_FIELDS)
      const call = accounts[pending?.account ?? account]
      if (call === undefined) return
      pending ??= { key: systemIds().uuid(), label: `Field ${(number += 1)}`, account }
      const { key, label } = pending
      const body = { label, type: 'text', usertype: 'any' }
      if ((await tally.judge('create', call('POST', '/api/contact-fields', { body, key }))) !== 'done') return
      created[pending.account]?.add(label)
      ledger.acknowledged.creations += 1
      pending = null
    },
    async countFaults() {
      let [lost, unexpected] = [0, 0]
      for (const [index, call] of accounts.entries()) {
        const stored = await listLabels(call)
        const expected = created[index] ?? new Set()
        lost += [...expected].filter((label) => !stored.includes(label)).length
        // The last one may be refused for good and stored: its repeat with the key would say so.
        unexpected += stored.filter((label) => !expected.has(label) && label !== pending?.label).length
        unexpected += stored.length - new Set(stored).size
      }
      return { lost, unexpected }
    },
  }
}

async function listLabels(call: Calls): Promise<readonly string[]> {
  const labels: string[] = []
  let cursor: string | null = null
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { status, body, text } = await call('GET', `/api/contact-fields?limit=200${more}`)
    if (status !== 200) throw new Error(`the fields cannot be listed: ${status} ${text}`)
    for (const item of listOf(body['items'])) if (item['is_system'] !== true) labels.push(String(item['label']))
    cursor = typeof body['next_cursor'] === 'string' ? body['next_cursor'] : null
  } while (cursor !== null)
  return labels
}
