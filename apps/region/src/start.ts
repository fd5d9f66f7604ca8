import { openInternalServer } from '@sealpost/http'
import { type Clock, type Ids, type Random, SettingsError } from '@sealpost/kernel'
import { openMailer } from '@sealpost/mail'
import { listen, ping } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import { type ComposedApi, composeApi } from './compose.ts'
import { openCore, type RegionCore } from './core.ts'
import { startCustomerJobs } from './modules/connections/index.ts'
import { type MailSender, startMailSender } from './modules/mail/index.ts'
import { startServiceJobs } from './modules/services/index.ts'
import { type Delivery, startDelivery } from './modules/webhooks/index.ts'
import type { RegionSettings } from './settings.ts'
import { startUpkeep } from './upkeep.ts'

export interface RunningRegion {
  readonly core: RegionCore
  readonly api: ComposedApi | null
  /** Null when this process does not run the `api` role. */
  readonly url: string | null
  readonly internalUrl: string
  /** From now on it says that it is not ready, and still serves. */
  drain(): void
  close(): Promise<void>
}

export interface StartNeeds {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly telemetry: Telemetry
}

const ROLES = ['api', 'worker']

/** Opens what the settings name, runs the roles they ask for and listens. */
export async function startRegion(settings: RegionSettings, needs: StartNeeds): Promise<RunningRegion> {
  const roles = readRoles(settings.REGION_ROLES)
  const core = await openCore(settings, {
    ...needs,
    roles: { relay: roles.worker, inbox: roles.worker, responder: roles.api },
  })
  await core.bus.start()
  const upkeep = roles.worker ? startUpkeep(core) : null
  const mailSender = roles.worker ? await startSending(core) : null
  const serviceJobs = roles.worker ? startServiceJobs({ ...core.services, isPaused: core.isPaused }) : null
  const customerJobs = roles.worker ? startCustomerJobs(core.connections.customer, core.isPaused) : null
  const delivery = roles.worker ? startDelivering(core) : null
  const api = roles.api ? await composeApi(core) : null
  const host = settings.LISTEN_HOST
  const url = api === null ? null : await api.server.listen({ host, port: settings.LISTEN_PORT })
  // A bus or a Redis that is away degrades a region; only without its database can it serve nobody.
  const internal = openInternalServer(needs.telemetry, [{ name: 'database', run: () => ping(core.database) }])
  const internalUrl = await internal.listen({ host: settings.INTERNAL_HOST, port: settings.INTERNAL_PORT })
  return {
    core,
    api,
    url,
    internalUrl,
    drain() {
      internal.drain()
      api?.server.drain()
    },
    async close() {
      // First: another process is asked from now on, and what answering needs is still open.
      await core.bus.leave()
      await api?.close()
      await delivery?.close()
      await mailSender?.close()
      await serviceJobs?.close()
      await customerJobs?.close()
      await upkeep?.close()
      await core.close()
      await internal.close()
    },
  }
}

function startDelivering({ settings, webhooks, feed, hookEgress, telemetry, isPaused }: RegionCore): Delivery {
  return startDelivery({
    ...webhooks,
    feed,
    egress: hookEgress,
    telemetry,
    isPaused,
    monotonicMs: () => performance.now(),
    graceMs: settings.WEBHOOK_GRACE_SECONDS * 1000,
    limits: { live: settings.WEBHOOK_LANES, probes: settings.WEBHOOK_PROBES },
  })
}

async function startSending({ settings, database, clock, telemetry, isPaused }: RegionCore): Promise<MailSender> {
  return startMailSender({
    database,
    clock,
    log: telemetry.log,
    dataKey: settings.DATA_KEY,
    isPaused,
    mailer: openMailer({ url: settings.SMTP_URL, from: settings.MAIL_FROM }),
    async onNotified(channel, act) {
      const listener = await listen({
        url: settings.DATABASE_URL.reveal(),
        channels: [channel],
        onNotification: act,
        onReconnect: act,
        onError: (error) => telemetry.log.warn({ err: error }, 'the listener for waiting mails lost its connection'),
      })
      return () => listener.close()
    },
  })
}

function readRoles(names: readonly string[]): { readonly api: boolean; readonly worker: boolean } {
  const unknown = names.find((name) => !ROLES.includes(name))
  if (unknown !== undefined || names.length === 0) {
    throw new SettingsError([`REGION_ROLES: takes ${ROLES.join(' and ')}, not ${unknown ?? 'nothing'}`])
  }
  return { api: names.includes('api'), worker: names.includes('worker') }
}
