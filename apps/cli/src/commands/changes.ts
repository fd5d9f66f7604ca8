import { randomUUID } from 'node:crypto'
import { type ServiceChange, type ServiceClient, type ServiceKey, UntrustedAnswerError } from '@sealpost/sdk'
import type { Command } from '../command.ts'
import { follow } from '../listen/follow.ts'
import { isOutageAtFirst, persist } from '../listen/persist.ts'
import { limitOf } from './options.ts'

const PAGE = 500

const drain: Command = {
  words: ['changes'],
  summary: 'Drain the change feed',
  json: 'lines',
  about:
    'Printed changes are removed from the feed, so another program that drains it would miss them. With --listener NAME you\n' +
    'read from a channel of your own, which starts with the first call and ends an hour after the last.',
  positionals: [],
  options: {
    decrypt: { type: 'boolean', about: 'Decrypt the values with the key file' },
    listener: {
      type: 'string',
      value: 'NAME',
      about: 'Read from a channel of this name and remove nothing from the feed',
    },
    limit: { type: 'string', value: 'COUNT', about: 'Stop after this many changes' },
  },
  async run(context, given) {
    const client = context.service()
    const key = given.flag('decrypt') ? await context.key() : null
    const listener = given.text('listener')
    const onChannel = listener === null ? {} : { listener }
    let left = limitOf(given, 'changes', Infinity)
    while (left > 0) {
      // Draining a page removes it, and unprinted changes would be lost: never read more than is left to print.
      const limit = Math.min(left, PAGE)
      const { changes, has_more: hasMore } = await client.changes.read(randomUUID(), { ...onChannel, limit })
      for (const change of changes) {
        context.terminal.print(context.isJson ? await jsonOf(client, change, key) : await lineOf(client, change, key))
      }
      left = hasMore ? left - changes.length : 0
    }
  },
}

const followChanges: Command = {
  words: ['changes', 'follow'],
  summary: 'Print the changes of a service as they happen, until Ctrl-C',
  json: 'lines',
  about:
    'Reads from a channel of its own and removes nothing from the feed or from a webhook. Starts with the changes from now\n' +
    'on. An outage is waited out; the changes of up to an hour then follow.',
  positionals: [],
  options: { decrypt: { type: 'boolean', about: 'Decrypt the values with the key file' } },
  async run(context, given) {
    const { terminal, isJson } = context
    // `persist` waits instead of the SDK: it reports the waits and never gives up.
    const client = context.service({ maxWaitSeconds: 0, requestTimeoutMs: 30_000 })
    const key = given.flag('decrypt') ? await context.key() : null
    const listener = `follow-${randomUUID()}`
    const signal = terminal.untilInterrupted()
    try {
      await persist(terminal, signal, () => client.whoami({ signal }), isOutageAtFirst)
      for await (const change of follow({ terminal, client, listener, signal })) {
        terminal.print(isJson ? await jsonOf(client, change, key) : await lineOf(client, change, key))
      }
    } catch (error) {
      // Ctrl-C is the normal end of this command.
      if (!signal.aborted) throw error
    }
  },
}

export const changesCommands: readonly Command[] = [drain, followChanges]

async function lineOf(client: ServiceClient, change: ServiceChange, key: ServiceKey | null): Promise<string> {
  const slug = 'slug' in change ? change.slug : ''
  const opened = key === null ? null : await textOf(client, change, key)
  const value = opened === null ? '' : JSON.stringify(opened)
  return [change.at, change.event, change.connection_id ?? '', slug, value].join('  ').trimEnd()
}

async function jsonOf(client: ServiceClient, change: ServiceChange, key: ServiceKey | null): Promise<string> {
  const opened = key === null ? null : await textOf(client, change, key)
  return JSON.stringify(opened === null ? change : { ...change, opened })
}

async function textOf(client: ServiceClient, change: ServiceChange, key: ServiceKey): Promise<unknown> {
  if (!('live' in change) || change.value === undefined) return null
  try {
    return (await client.values.decryptValue(change, change.type ?? '', key)).value
  } catch (error) {
    // The page is drained already: the other changes must still be printed.
    if (error instanceof UntrustedAnswerError) return { refused: error.reason }
    throw error
  }
}
