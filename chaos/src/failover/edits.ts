import { setTimeout as pause } from 'node:timers/promises'
import { northwind } from '@sealpost/testkit'
import type { Customer } from '../roles/customer.ts'
import { demand } from '../roles/services.ts'
import { importKey, sealTo } from '../sharing/shops.ts'

/** Writes over HTTP, one after the other, as an app makes them. */
export interface Edits {
  accepted(): number
  /** Accepted, or possibly written: what the field may hold now. */
  readonly counts: { unanswered: number; wrong: number }
  /** Reads the field back; one that is older than the last accepted is counted as wrong. */
  check(): Promise<void>
  end(): Promise<void>
}

const RETRY_MS = 100
const PACE_MS = 30

export async function startEdits(customer: Customer): Promise<Edits> {
  const key = await importKey(northwind.login.keys.publicKey)
  const path = `/api/contact-data/${customer.otherFieldId}`
  const run = { isEnding: false, isHeld: false, isResting: false }
  /** As they were sent; the place of each is its age. */
  const sent: string[] = []
  let accepted = 0
  let lastAccepted = -1
  const counts = { unanswered: 0, wrong: 0 }
  const makeEdit = async (): Promise<void> => {
    const value = await sealTo(key, `edit ${sent.length}`)
    const place = sent.push(value) - 1
    while (!run.isEnding) {
      const status = await customer
        .call('PUT', path, { body: { value, is_private: true } })
        .then((answer) => answer.status)
        .catch(() => 0)
      if (status === 200) {
        accepted += 1
        lastAccepted = place
        return
      }
      counts.unanswered += 1
      await pause(RETRY_MS)
    }
  }
  const running = (async () => {
    while (!run.isEnding) {
      run.isResting = run.isHeld
      if (run.isHeld) await pause(PACE_MS)
      else await makeEdit()
    }
  })()
  return {
    accepted: () => accepted,
    counts,
    async check() {
      run.isHeld = true
      while (!run.isResting) await pause(PACE_MS)
      const { items } = await demand(customer.call('GET', '/api/contact-data?limit=500'))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
      const held = (items as readonly Held[]).find(({ field_id }) => field_id === customer.otherFieldId)
      if (sent.indexOf(held?.value ?? '') < lastAccepted) counts.wrong += 1
      run.isHeld = false
    },
    async end() {
      run.isEnding = true
      await running
    },
  }
}

interface Held {
  readonly field_id: string
  readonly value: string
}
