import { type RunningFrontDoor, frontDoorSettings, startFrontDoor } from '@sealpost/front-door'
import { readSettings } from '@sealpost/kernel'
import { guardTransactions } from '@sealpost/postgres'
import { systemRandom } from '@sealpost/process'
import { type RunningRegion, regionSettings, startRegion } from '@sealpost/region'
import { type RecordingTelemetry, recordingTelemetry } from '@sealpost/telemetry'
import { type FixedClock, fixedClock, fixedIds } from './fixed.ts'
import {
  createSigningKeys,
  type InstallationEnvironment,
  installationEnvironment,
  PATIENT,
} from './installation/environment.ts'
import { freeAddresses } from './installation/installation.ts'
import { type IsolatedEngines, startIsolatedEngines } from './installation/isolated-engines.ts'
import { seedRegion } from './installation/seed.ts'
import { type MailSink, startMailSink } from './mail-sink.ts'
import { type Opened, openWhole } from './opening.ts'
import { setPassword } from './world/passwords.ts'

/** A persona, or any other machine client. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** A front door and two regions in this process, speaking over real sockets to real engines, under one fixed clock. */
export interface TwoRegions {
  readonly frontDoor: RunningFrontDoor
  readonly eu: RunningRegion
  readonly us: RunningRegion
  readonly clock: FixedClock
  readonly telemetry: RecordingTelemetry
  readonly isolated: IsolatedEngines
  readonly environment: InstallationEnvironment
  /** Takes what the regions send; `mail.waitFor(address)` answers the newest text. */
  readonly mail: MailSink
  /** A fresh access token, by the token endpoint. */
  token(client: ClientCredentials): Promise<string>
  /** One more API process of a region, as far as the others can tell. */
  another(region: 'eu' | 'us', settings?: Readonly<Record<string, string>>): Promise<RunningRegion>
  /** One more process of the front door, with the same directory. */
  anotherFrontDoor(settings?: Readonly<Record<string, string>>): Promise<RunningFrontDoor>
  close(): Promise<void>
}

/** Several installations run beside each other in tests, and a server takes a hundred connections. */
const FEW_CONNECTIONS = '4'
/** Everybody in a test comes from one address, within one minute of a clock that stands still. */
const MANY_LOGINS = {
  RATE_LOGIN_IP: '6000',
  RATE_LOGIN_ACCOUNT: '600',
  RATE_MISSES_HOUR: '6000',
  INFLIGHT_CALLER: '1000',
}

/** Made once: an RSA key takes a tenth of a second. */
let signingKeys: Promise<string> | null = null

export interface TwoRegionsOptions {
  /** Whether the fixed personas are put in; yes unless told. */
  readonly withPersonas?: boolean
}

/** All of it or, when something fails to start, nothing. */
export function startTwoRegions(
  settings: Readonly<Record<string, string>> = {},
  { withPersonas = true }: TwoRegionsOptions = {},
): Promise<TwoRegions> {
  return openWhole(async (opened) => {
    const started = await start(settings, opened)
    if (withPersonas) await Promise.all([seedPersonas(started, 'eu'), seedPersonas(started, 'us')])
    started.telemetry.clear()
    return started
  })
}

function seedPersonas(started: TwoRegions, code: 'eu' | 'us'): Promise<void> {
  const { operations } = started[code]
  return seedRegion({ operations, setPassword: (...given) => setPassword(started[code], ...given) }, code)
}

async function start(settings: Readonly<Record<string, string>>, opened: Opened): Promise<TwoRegions> {
  guardTransactions()
  const isolated = await startIsolatedEngines()
  opened.defer(() => isolated.remove())
  const mail = await startMailSink()
  opened.defer(() => mail.close())
  const clock = fixedClock()
  const telemetry = recordingTelemetry()
  // Ids are the same in every run; randomness is not. Installations share a bucket, and seeded object keys would be the
  // same in all of them: tests that run at the same time would overwrite and remove each other's files.
  const needs = (seed: number) => ({ clock, ids: fixedIds(clock, seed), random: systemRandom, telemetry })
  const addresses = await freeAddresses()
  const extra = { STRICT_CONTRACT: '1', DATABASE_POOL: FEW_CONNECTIONS, ...MANY_LOGINS, ...PATIENT, ...settings }
  const keys = await (signingKeys ??= createSigningKeys())
  const environment = installationEnvironment(isolated.engines, addresses, keys, mail.url, extra)

  const owned = <App extends { close(): Promise<void> }>(app: App): App => {
    opened.defer(() => app.close())
    return app
  }

  const frontDoor = owned(await startFrontDoor(readSettings(frontDoorSettings, environment.frontDoor), needs(1)))
  const eu = owned(await startRegion(readSettings(regionSettings, environment.eu), needs(2)))
  const us = owned(await startRegion(readSettings(regionSettings, environment.us), needs(3)))
  let lastSeed = 3

  return {
    frontDoor,
    eu,
    us,
    clock,
    telemetry,
    isolated,
    environment,
    mail,
    token: (client) => requestToken(frontDoor.url, client),
    async another(region, own = {}) {
      const variables = { ...environment[region], LISTEN_PORT: '0', INTERNAL_PORT: '0', ...own }
      return owned(await startRegion(readSettings(regionSettings, variables), needs((lastSeed += 1))))
    },
    async anotherFrontDoor(own = {}) {
      const variables = { ...environment.frontDoor, LISTEN_PORT: '0', INTERNAL_PORT: '0', ...own }
      return owned(await startFrontDoor(readSettings(frontDoorSettings, variables), needs((lastSeed += 1))))
    },
    close: () => opened.disposeAsync(),
  }
}

async function requestToken(frontDoorUrl: string, { clientId, clientSecret }: ClientCredentials): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const answer = await fetch(`${frontDoorUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  const body: unknown = await answer.json()
  if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token)
  throw new Error(`no token: ${JSON.stringify(body)}`)
}
