import type { Clock, Ids, Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { OutletName, OutletState } from '../feed/index.ts'
import { logServices } from '../services/index.ts'
import { setLastErrors } from './store/endpoints.ts'

export interface Transition {
  readonly name: OutletName
  readonly from: OutletState
  readonly to: OutletState
  readonly at: Instant
  /** For people: `answered 503`. Null when nothing failed. Never a secret, never anything of a body. */
  readonly lastError: string | null
}

/** Last in the transaction that changed the state: the rows of the webhooks and the services' logs come after the feed's. */
export async function recordTransitions(
  tx: Tx,
  needs: { readonly clock: Clock; readonly ids: Ids },
  transitions: readonly Transition[],
): Promise<void> {
  // A probe that starts has not mended anything yet.
  const decided = transitions.filter(({ to }) => to !== 'unknown')
  if (decided.length > 0) {
    await setLastErrors(
      tx,
      decided.map(({ name: { serviceId, webhookId }, to, lastError }) => ({
        serviceId,
        webhookId,
        lastError: to === 'running' ? null : lastError,
      })),
    )
  }
  await logServices(
    tx,
    needs,
    transitions.map(({ name: { companyId, serviceId, webhookId }, from, to, lastError }) => {
      const failure = lastError === null ? {} : { error: lastError }
      const metadata = { webhook_id: webhookId, from, to, ...failure }
      return { service: { companyId, serviceId }, entry: { type: 'webhook', message: MESSAGES[to], metadata } }
    }),
  )
}

const MESSAGES = {
  running: 'The webhook runs: its endpoint answers',
  bad: 'The webhook failed: its events wait until a probe succeeds',
  unknown: 'The webhook is being probed',
} as const satisfies Record<OutletState, string>
