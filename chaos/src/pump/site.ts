import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledPrograms, reservePort, type ScenarioContext, waitUntil } from '@sealpost/testkit'
import { loginCalls } from '../accounts.ts'
import { requireOk } from '../calls.ts'
import { openServices, type SiteService } from '../roles/services.ts'
import { type RoleSite, startRoleSite } from '../roles/site.ts'
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts'
import { type Consumer, type ConsumerPlan, keepRunning } from './consumer.ts'

/** A service with three readers, all of which get every change. */
export interface PumpSite {
  readonly site: RoleSite
  readonly service: SiteService
  readonly webhookId: string
  /** Follows the feed with the SDK's pump. */
  readonly pump: Consumer
  /** Receives the webhook. */
  readonly receiver: Consumer
  /** `sealpost listen`, which posts to `target`. */
  readonly listen: Consumer
  readonly target: Consumer
  /** The files with the effects of `pump`, `receiver` and `target`. */
  readonly effects: Readonly<Record<'pump' | 'receiver' | 'listen', string>>
  /** The folders of the stores. */
  readonly stores: readonly string[]
  /** Under the stores; null where this machine allows no mounting. */
  readonly disk: SmallDisk | null
  /** Ends the client's secret and tokens; consumers get the new secret at their next start. */
  replaceSecret(): Promise<void>
}

const SECRET = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA='
const READY_MS = 60_000
const DISK_MEGABYTES = 16

const programAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export async function startPumpSite(context: ScenarioContext): Promise<PumpSite> {
  const site = await startRoleSite(context, { workers: 1, settings: { WEBHOOK_PROBE_DELAY_SECONDS: '1' } })
  const [service] = await openServices(site, 1)
  if (service === undefined) throw new Error('no service')
  const disk = await mountSmallDisk(context, { megabytes: DISK_MEGABYTES })
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-pump-'))
  context.onEnd(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })))
  const places: Places = {
    programs: await bundledPrograms(),
    home: folder,
    storeOf: (name) => join(disk?.folder ?? folder, `store-${name}`),
    effectsOf: (name) => join(folder, `${name}.txt`),
  }
  const state = { clientSecret: service.client.clientSecret }
  const ports = { own: (await reservePort()).port, target: (await reservePort()).port }
  const start = (plan: ConsumerPlan): Consumer => {
    const consumer = keepRunning(plan)
    context.onEnd(() => consumer.end())
    return consumer
  }
  const credentials = () => ({
    frontDoorUrl: site.frontDoor.url,
    clientId: service.client.clientId,
    clientSecret: state.clientSecret,
  })
  const receiver = start(receiverPlan(places, 'receiver', ports.own))
  const target = start(receiverPlan(places, 'target', ports.target))
  const webhookId = await createWebhook(service, ports.own)
  const pump = start(pumpPlan(places, credentials))
  const listen = start(listenPlan(places, credentials, ports.target))
  // A listener gets the events since its first poll.
  await waitUntil('the command listens', READY_MS, () => listen.printed(/^ready$/) > 0)
  await waitUntil('the receivers listen', READY_MS, () => [receiver, target].every((one) => one.printed(/^ready$/) > 0))
  const effects = {
    pump: places.effectsOf('pump'),
    receiver: places.effectsOf('receiver'),
    listen: places.effectsOf('target'),
  }
  const stores = ['pump', 'receiver', 'listen', 'target'].map((name) => places.storeOf(name))
  const replaceSecret = async (): Promise<void> => {
    state.clientSecret = await regenerateSecret(site, service)
  }
  return { site, service, webhookId, pump, receiver, listen, target, effects, stores, disk, replaceSecret }
}

interface Places {
  /** The bundled SDK and command. */
  readonly programs: string
  readonly home: string
  readonly storeOf: (name: string) => string
  readonly effectsOf: (name: string) => string
}

type Credentials = () => { readonly frontDoorUrl: string; readonly clientId: string; readonly clientSecret: string }

function pumpPlan({ programs, storeOf, effectsOf }: Places, credentials: Credentials): ConsumerPlan {
  return {
    name: 'pump',
    args: [programAt('pump-program.ts')],
    environment() {
      const { frontDoorUrl, clientId, clientSecret } = credentials()
      const client = { FRONT_DOOR: frontDoorUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
      return { SDK: join(programs, 'sdk'), ...client, STORE: storeOf('pump'), HANDLED: effectsOf('pump') }
    },
  }
}

function receiverPlan({ programs, storeOf, effectsOf }: Places, name: string, port: number): ConsumerPlan {
  const own = { STORE: storeOf(name), HANDLED: effectsOf(name) }
  const environment = () => ({ SDK: join(programs, 'sdk'), SECRET, PORT: String(port), ...own })
  return { name, args: [programAt('receiver-program.ts')], environment }
}

function listenPlan({ programs, home, storeOf }: Places, credentials: Credentials, port: number): ConsumerPlan {
  const channel = ['--name', 'chaos', '--store', storeOf('listen')]
  const to = [`http://127.0.0.1:${port}/hook`, '--secret', SECRET]
  return {
    name: 'listen',
    args: [join(programs, 'command/sealpost.js'), 'listen', ...to, ...channel],
    environment() {
      const { frontDoorUrl, clientId, clientSecret } = credentials()
      return {
        HOME: home,
        SEALPOST_FRONT_DOOR: frontDoorUrl,
        SEALPOST_CLIENT_ID: clientId,
        SEALPOST_CLIENT_SECRET: clientSecret,
      }
    },
  }
}

async function regenerateSecret(site: RoleSite, { companyId, serviceId }: SiteService): Promise<string> {
  const user = { userId: companyId, userType: 'company', region: 'eu' } as const
  const portal = await loginCalls(site, site.api.url, user)
  const made = await requireOk(portal('POST', `/api/services/${serviceId}/client/regenerate-secret`))
  return String(made['client_secret'])
}

async function createWebhook({ serviceId, portal }: SiteService, port: number): Promise<string> {
  const body = {
    url: `http://127.0.0.1:${port}/hook`,
    events: [],
    format: 'json',
    encrypt_payload: false,
    enabled: true,
    auth_type: 'hmac',
    hmac_secret: SECRET,
  }
  return String((await requireOk(portal('POST', `/api/services/${serviceId}/webhooks`, { body })))['id'])
}
