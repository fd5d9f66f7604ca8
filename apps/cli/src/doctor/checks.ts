import { statSync } from 'node:fs'
import { isSealpostError, type ServiceKey } from '@sealpost/sdk'
import type { Context } from '../command.ts'
import { cleanAddress, settingsFile } from '../config.ts'
import { pathOf } from '../files.ts'
import { callFrontDoor } from '../front-door.ts'
import { CliError } from '../terminal.ts'

export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'note' | 'fail'
  readonly sentence: string
  readonly remedy?: string
}

/** In the order in which a problem causes others. */
export async function* runChecks(
  context: Context,
  configPath: string | null,
): AsyncGenerator<Finding, void, undefined> {
  yield checkSettings(context, configPath)
  const door = context.knownFrontDoor()
  if (door === null) {
    yield fail(
      'front door',
      'no address of the front door is set',
      'run sealpost init, or set front_door in sealpost.json',
    )
    return
  }
  const reached = await reach(context, door)
  yield reached.finding
  if (reached.localMs === null || reached.serverMs === null) return
  yield checkClock(reached.localMs - reached.serverMs)
  yield await checkAccount(context)
  const service = await checkDataClient(context)
  yield service.finding
  const key = await checkKeyFile(context)
  if (key !== null) yield key.finding
  if (service.id === null || context.accountAccess() === 'none') return
  if (key?.key !== undefined) yield await checkKeyFits(context, service.id, key.key)
  yield* checkWebhooks(context, service.id)
}

function checkSettings(context: Context, configPath: string | null): Finding {
  const path = settingsFile(context.terminal, configPath)
  if (path === null) {
    return { check: 'settings', level: 'note', sentence: 'there is no sealpost.json; the environment alone is used' }
  }
  const isOpen = (statSync(pathOf(context.terminal, path)).mode & 0o077) !== 0
  return isOpen
    ? { check: 'settings', level: 'note', sentence: `other users can read ${path}`, remedy: `run chmod 600 ${path}` }
    : ok('settings', path)
}

interface Reached {
  readonly finding: Finding
  readonly localMs: number | null
  readonly serverMs: number | null
}

async function reach({ terminal }: Context, door: string): Promise<Reached> {
  const unreached = { localMs: null, serverMs: null }
  if (!URL.canParse(door)) {
    return { ...unreached, finding: fail('front door', `${door} is no address`, 'set front_door to https://…') }
  }
  try {
    const { members, headers } = await callFrontDoor(cleanAddress(door), '/api/health')
    const localMs = terminal.clock.now()
    const { status, version } = members
    if (typeof status !== 'string') {
      return { ...unreached, finding: fail('front door', `${door} answers, but not as a front door`, NOT_A_DOOR) }
    }
    const serverMs = Date.parse(headers.get('date') ?? '')
    const finding = ok('front door', `${door} is ${status}, version ${String(version)}`)
    return { finding, localMs, serverMs: Number.isNaN(serverMs) ? localMs : serverMs }
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    const [sentence = '', remedy = NOT_A_DOOR] = error.message.split(/: (?=check|name)/)
    return { ...unreached, finding: fail('front door', sentence, remedy) }
  }
}

const NOT_A_DOOR = 'front_door must name the front door, not a region, a portal or a proxy page'

/** Receivers refuse signatures of another time than theirs, five minutes apart. */
const CLOCK_FAIL_SECONDS = 300
const CLOCK_NOTE_SECONDS = 30

function checkClock(differenceMs: number): Finding {
  const seconds = Math.round(differenceMs / 1000)
  const sentence = `this machine is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the platform`
  const remedy = 'set the clock by NTP: signatures of webhooks are refused from five minutes on'
  if (Math.abs(seconds) >= CLOCK_FAIL_SECONDS) return fail('clock', sentence, remedy)
  if (Math.abs(seconds) >= CLOCK_NOTE_SECONDS) return { check: 'clock', level: 'note', sentence, remedy }
  return ok('clock', 'agrees with the platform')
}

async function checkAccount(context: Context): Promise<Finding> {
  const access = context.accountAccess()
  if (access === 'none') {
    const sentence = 'no login and no account client: services and webhooks cannot be managed'
    return { check: 'account', level: 'note', sentence, remedy: 'run sealpost login' }
  }
  return findingOf('account', 'check account_client_id and its secret, or run sealpost login', async () => {
    const { display_name: name, level, region } = await context.account().read()
    return `${name}, level ${level}, region ${region}, by ${access === 'login' ? 'login' : 'account client'}`
  })
}

async function checkDataClient(context: Context): Promise<{ readonly finding: Finding; readonly id: string | null }> {
  if (context.setting('client_id') === null) {
    const sentence = 'no client_id: connections and changes cannot be read'
    const finding: Finding = { check: 'data client', level: 'note', sentence, remedy: 'run sealpost init' }
    return { finding, id: null }
  }
  let id: string | null = null
  const remedy = 'check client_id and its secret, or make a new one: sealpost services client regenerate SERVICE_ID'
  const finding = await findingOf('data client', remedy, async () => {
    const { service_id: serviceId } = await context.service().whoami()
    id = serviceId
    return `${String(context.setting('client_id'))} reads service ${serviceId}`
  })
  return { finding, id }
}

async function checkKeyFile(
  context: Context,
): Promise<{ readonly finding: Finding; readonly key?: ServiceKey } | null> {
  if (context.setting('key_file') === null) return null
  let key: ServiceKey | undefined
  const finding = await findingOf('key file', 'check key_file and passphrase_file', async () => {
    key = await context.key()
    return `opens; fingerprint ${key.fingerprint.slice(0, 16)}…`
  })
  return key === undefined ? { finding } : { finding, key }
}

function checkKeyFits(context: Context, serviceId: string, key: ServiceKey): Promise<Finding> {
  const remedy = 'key_file is of another service: run sealpost services pem SERVICE_ID --out FILE'
  return findingOf('key', remedy, async () => {
    const { public_key: publicKey, name } = await context.account().services.read(serviceId)
    if (publicKey !== key.publicKey) throw new CliError(`the key file does not open values of ${name}`)
    return `opens values of ${name}`
  })
}

/** Whether the feed is handled as well is known to the company only. */
const ONE_CHANNEL: Finding = {
  check: 'channel',
  level: 'note',
  sentence: 'events are sent to webhooks, and are in the feed, too: handle one of the two, not both',
  remedy: 'to look on, use sealpost listen or a listener of the feed; to use the feed, disable the webhooks',
}

async function* checkWebhooks(context: Context, serviceId: string): AsyncGenerator<Finding, void, undefined> {
  let isSent = false
  try {
    for await (const { id, enabled, paused, health } of context.account().webhooks.list(serviceId)) {
      isSent ||= enabled
      if (!enabled || paused) {
        const sentence = `${id} is ${enabled ? 'paused' : 'disabled'}; ${health.backlog_count} events wait`
        yield { check: 'webhook', level: 'note', sentence, remedy: `run sealpost webhooks resume ${serviceId} ${id}` }
      } else if (health.state === 'bad') {
        const sentence = `${id} fails since ${health.since}: ${health.last_error ?? 'no answer'}; ${health.backlog_count} events wait`
        yield fail('webhook', sentence, `repair the receiver, then run sealpost webhooks probe ${serviceId} ${id}`)
      } else yield ok('webhook', `${id} is ${health.state}, ${health.backlog_count} events wait`)
    }
    if (isSent) yield ONE_CHANNEL
  } catch (error) {
    yield failed('webhook', error, 'the account client needs the capability service_management')
  }
}

async function findingOf(check: string, remedy: string, test: () => Promise<string>): Promise<Finding> {
  try {
    return ok(check, await test())
  } catch (error) {
    return failed(check, error, remedy)
  }
}

/** A bug of this program, which is no finding, is thrown. */
function failed(check: string, error: unknown, remedy: string): Finding {
  if (!(error instanceof Error)) throw error
  const isOutage = isSealpostError(error) && error.status >= 500
  return fail(check, error.message, isOutage ? 'the platform is busy: try again' : remedy)
}

function ok(check: string, sentence: string): Finding {
  return { check, level: 'ok', sentence }
}

function fail(check: string, sentence: string, remedy: string): Finding {
  return { check, level: 'fail', sentence, remedy }
}
