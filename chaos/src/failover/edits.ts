import { setTimeout as pause } from 'node:timers/promises'
import { sealToSelf } from '../accounts.ts'
import { requireOk } from '../calls.ts'
import type { Customer } from '../roles/customer.ts'

/** Writes of an app over HTTP, one at a time. */
export interface Edits {
  accepted(): number
  readonly counts: { unanswered: number; lost: number }
  /** Reads the field back and counts the last accepted edit as lost when the value is older. */
  check(): Promise<void>
  end(): Promise<void>
}

const RETRY_MS = 100
const PACE_MS = 30

export function startEdits(customer: Customer): Edits {
  const path = `/api/contact-data/${customer.otherFieldId}`
  const run = { isEnding: false, isPaused: false, isIdle: false }
  /** In the order in which they were sent. */
  const sent: string[] = []
  let accepted = 0
  let lastAccepted = -1
  const counts = { unanswered: 0, lost: 0 }
  const makeEdit = async (): Promise<void> => {
    const value = await sealToSelf(`edit ${sent.length}`)
    const index = sent.push(value) - 1
    while (!run.isEnding) {
      const status = await customer
        .call('PUT', path, { body: { value, is_private: true } })
        .then((answer) => answer.status)
        .catch(() => 0)
      if (status === 200) {
        accepted += 1
        lastAccepted = index
        return
      }
      counts.unanswered += 1
      await pause(RETRY_MS)
    }
  }
  const running = (async () => {
    while (!run.isEnding) {
      run.isIdle = run.isPaused
      if (run.isPaused) await pause(PACE_MS)
      else await makeEdit()
    }
  })()
  return {
    accepted: () => accepted,
    counts,
    async check() {
      run.isPaused = true
      while (!run.isIdle) await pause(PACE_MS)
      const { items } = await requireOk(customer.call('GET', '/api/contact-data?limit=500'))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
      const stored = (items as readonly Stored[]).find(({ field_id }) => field_id === customer.otherFieldId)
      if (sent.indexOf(stored?.value ?? '') < lastAccepted) counts.lost += 1
      run.isPaused = false
    },
    async end() {
      run.isEnding = true
      await running
    },
  }
}

interface Stored {
  readonly field_id: string
  readonly value: string
}
