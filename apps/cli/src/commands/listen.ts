import { randomBytes } from 'node:crypto'
import type { Command } from '../command.ts'
import { follow } from '../listen/follow.ts'
import { forward, jsonOf, lineOf } from '../listen/forward.ts'
import { isOutageAtFirst, persist } from '../listen/persist.ts'
import { openSigning, signingOptions } from '../local/secret.ts'
import { parseTarget } from '../local/target.ts'
import { CliError, UsageError } from '../terminal.ts'
import { wanted } from './services.ts'
import { kindsOf } from './webhooks.ts'

export const listenCommand: Command = {
  words: ['listen'],
  summary: 'Forward what happens to a service to an address on this machine',
  about:
    'Posts each event as a webhook would: same body, same headers, signed both ways. In order, one at a time, until Ctrl-C.\n' +
    'It reads along on a channel of its own and takes nothing from the feed or from a webhook. The channel begins when it\n' +
    'starts and ends an hour after the last poll, so what happens while it is not running is not shown; a machine that\n' +
    'slept for less gets everything. A target that is down is waited for, a minute per event.',
  positionals: [],
  options: {
    to: { type: 'string', value: 'URL', about: 'Needed; on this machine, e.g. http://127.0.0.1:3000/hook' },
    events: { type: 'string', value: 'A,B', about: 'Only these; all when left out' },
    service: { type: 'string', value: 'SERVICE_ID', about: 'Start only if the client speaks for this service' },
    name: { type: 'string', value: 'NAME', about: 'Of the channel; a new one each time when left out' },
    ...signingOptions,
  },
  async run(context, given) {
    const { terminal, isJson } = context
    const target = parseTarget(given.text('to') ?? wanted('to'))
    const events = given.text('events')
    const kinds = events === null ? null : new Set<string>(kindsOf(events))
    const listener = nameOf(given.text('name'))
    // Waits are ours: they are told, and go on for as long as it takes.
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
      terminal.tell(`forwarding events of service ${serviceId} to ${target.href} by the channel ${listener}`)
      for await (const event of follow(terminal, client, listener, signal)) {
        if (kinds !== null && !kinds.has(event.event)) continue
        const forwarded = await forward({ terminal, target, signing }, event, signal)
        terminal.print(isJson ? jsonOf(event, forwarded) : lineOf(event, forwarded))
      }
    } catch (error) {
      // Ctrl-C is how this command ends.
      if (!signal.aborted) throw error
    }
  },
}

/** A name that nobody else uses: two that read one channel would each see half of it. */
function nameOf(text: string | null): string {
  if (text === null) return `listen-${randomBytes(12).toString('base64url')}`
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  throw new UsageError('--name is 1 to 64 letters, digits, - and _')
}

function refuseOther(expected: string | null, serviceId: string): void {
  if (expected === null || expected === serviceId) return
  throw new CliError(`the client of the settings speaks for service ${serviceId}, not ${expected}`)
}
