import type { Log } from '@sealpost/telemetry'
import type { RegionCore } from './core.ts'
import { settleActs } from './modules/clients/index.ts'
import { tidyCustomerSide, tidyServiceSide } from './modules/connections/index.ts'
import { tidyFeed } from './modules/feed/index.ts'
import { tidyGrants } from './modules/grants/index.ts'
import { tidyLogins } from './modules/login/index.ts'
import { tidyLogs } from './modules/services/index.ts'
import { sweepGarbage, tidyVault } from './modules/vault/index.ts'
import { tellStaleQueues, tidyDeliveries } from './modules/webhooks/index.ts'
import { type Rounds, startRounds } from './rounds.ts'

const EVERY_MS = 60_000
const AT_ONCE = 1000

interface Chore {
  /** Reads on in `… could not be tidied up`. */
  readonly what: string
  readonly run: () => Promise<unknown>
}

/** What a worker tidies up now and then; every act is safe to do twice, so several workers may do it. */
export function startUpkeep(core: RegionCore): Rounds {
  return startRounds(() => runChores(core), EVERY_MS)
}

/** One round. Nothing starts while writes are paused; what fails keeps nothing else from being done. */
export async function runChores(core: RegionCore): Promise<void> {
  if (await core.isPaused()) return
  await Promise.all(choresOf(core).map((chore) => attempt(chore, core.telemetry.log)))
}

function choresOf({
  clients,
  connections,
  feed,
  grants,
  idempotency,
  login,
  mail,
  services,
  vault,
  webhooks,
}: RegionCore): readonly Chore[] {
  return [
    { what: 'answers kept for Idempotency-Keys', run: () => idempotency.removeExpired(AT_ONCE) },
    { what: 'clients that were being changed', run: () => settleActs(clients) },
    { what: 'logins', run: () => tidyLogins(login) },
    { what: 'grants', run: () => tidyGrants(grants) },
    { what: 'logs of services', run: () => tidyLogs(services, AT_ONCE) },
    { what: 'values of fields', run: () => tidyVault(vault) },
    { what: 'objects that nothing refers to', run: () => sweepGarbage(vault, AT_ONCE) },
    { what: 'connections of customers', run: () => tidyCustomerSide(connections.customer) },
    { what: 'connections of services', run: () => tidyServiceSide(connections.service) },
    { what: 'change feeds', run: () => tidyFeed(feed) },
    { what: 'the log of deliveries', run: () => tidyDeliveries(webhooks) },
    { what: 'webhooks whose events wait too long', run: () => tellStaleQueues({ ...webhooks, mail }) },
  ]
}

async function attempt({ what, run }: Chore, log: Log): Promise<void> {
  try {
    await run()
  } catch (error) {
    log.warn({ err: error }, `${what} could not be tidied up; it is tried again in a minute`)
  }
}
