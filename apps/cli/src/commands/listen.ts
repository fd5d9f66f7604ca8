import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { ServiceChange } from '@sealpost/sdk'
import type { Command, Given } from '../command.ts'
import { follow, followWithStore } from '../listen/follow.ts'
import { forward, jsonOf, lineOf } from '../listen/forward.ts'
import { isOutageAtFirst, persist } from '../listen/persist.ts'
import { openSigning, signingOptions } from '../local/secret.ts'
import { parseTarget } from '../local/target.ts'
import { CliError, UsageError } from '../terminal.ts'
import { kindsOf } from './webhook-settings.ts'

export const listenCommand: Command = {
  words: ['listen'],
  summary: 'Forward the events of a service to an address on this machine',
  json: 'lines',
  about:
    'Posts each event as a webhook would: same body, same headers, both signatures. In order, one at a time, until Ctrl-C.\n' +
    'It reads from a channel of its own and removes nothing from the feed or from a webhook. The channel starts with the\n' +
    'command and ends an hour after the last poll, so events while the command is not running are not shown; a machine\n' +
    'that slept for less than an hour gets all events. A target that is down is retried for a minute per event.\n' +
    'With --store and --name, a command that was killed goes on with the events that it had fetched and those since.',
  positionals: ['[ADDRESS]'],
  options: {
    to: { type: 'string', value: 'ADDRESS', about: 'The same as ADDRESS: on this machine, e.g. localhost:3000/hook' },
    events: { type: 'string', value: 'A,B', about: 'Only these events; all by default' },
    service: { type: 'string', value: 'SERVICE_ID', about: 'Refuse to start if the client belongs to another service' },
    name: { type: 'string', value: 'NAME', about: 'Name of the channel; a new one each time by default' },
    store: { type: 'string', value: 'FOLDER', about: 'Keep fetched events here until they are posted; needs --name' },
    ...signingOptions,
  },
  async run(context, given) {
    const { terminal, isJson } = context
    const target = parseTarget(given.positionals[0] ?? given.text('to') ?? missingAddress())
    const events = given.text('events')
    const kinds = events === null ? null : new Set<string>(kindsOf(events))
    const listener = nameOf(given.text('name'))
    const store = storeOf(given)
    // `persist` retries instead of the SDK: it reports the waits and never gives up.
    const client = context.service({ maxWaitSeconds: 0, requestTimeoutMs: 30_000 })
    const signing = await openSigning(context, given)
    const signal = terminal.untilInterrupted()
    try {
      const { service_id: serviceId } = await persist(
        terminal,
        signal,
        () => client.whoami({ signal }),
        isOutageAtFirst,
      )
      refuseOther(given.text('service'), serviceId)
      terminal.log(`forwarding events of service ${serviceId} to ${target.href} by the channel ${listener}`)
      const take = async (event: ServiceChange): Promise<void> => {
        if (kinds !== null && !kinds.has(event.event)) return
        const forwarded = await forward({ terminal, target, signing }, event, signal)
        terminal.print(isJson ? jsonOf(event, forwarded) : lineOf(event, forwarded))
      }
      const following = { terminal, client, listener, signal }
      if (store === null) for await (const event of follow(following)) await take(event)
      else await followWithStore(following, resolve(terminal.folder, store), take)
    } catch (error) {
      // Ctrl-C is the normal end of this command.
      if (!signal.aborted) throw error
    }
  },
}

function missingAddress(): never {
  throw new UsageError('name an address on this machine: sealpost listen localhost:3000/hook')
}

/** A unique name by default: two readers of one channel would each get a part of its events. */
function nameOf(text: string | null): string {
  if (text === null) return `listen-${randomBytes(12).toString('base64url')}`
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  throw new UsageError('--name is 1 to 64 letters, digits, - and _')
}

/** A store belongs to one channel. */
function storeOf({ text }: Given): string | null {
  const folder = text('store')
  if (folder === null || text('name') !== null) return folder
  throw new UsageError('--store needs --name: the same channel at every start')
}

function refuseOther(expected: string | null, serviceId: string): void {
  if (expected === null || expected === serviceId) return
  throw new CliError(`the client of the settings belongs to service ${serviceId}, not ${expected}`)
}
