import { randomUUID } from 'node:crypto'
import type { ServiceChange, ServiceClient, ServiceKey } from '@sealpost/sdk'
import type { Command } from '../command.ts'
import { UsageError } from '../terminal.ts'

const PAGE = 500

export const changesCommand: Command = {
  words: ['changes'],
  summary: 'Take what waits in the change feed',
  about:
    'What is printed is gone from the feed, so a program that reads it as well would miss it: with --listener NAME you\n' +
    'read along on a channel of your own, which begins with the first call and ends an hour after the last.',
  positionals: [],
  options: {
    decrypt: { type: 'boolean', about: 'Open the values with the key file' },
    listener: { type: 'string', value: 'NAME', about: 'Read along and take nothing from the feed' },
    limit: { type: 'string', value: 'COUNT', about: 'Stop after so many' },
  },
  async run(context, { text, flag }) {
    const client = context.service()
    const key = flag('decrypt') ? await context.key() : null
    const listener = text('listener')
    const onChannel = listener === null ? {} : { listener }
    let left = limitOf(text('limit'))
    while (left > 0) {
      // A page is taken as a whole, and what is not printed would be lost: it is never larger than what is left.
      const limit = Math.min(left, PAGE)
      const { changes, has_more: hasMore } = await client.changes.read(randomUUID(), { ...onChannel, limit })
      for (const change of changes) {
        context.terminal.print(context.isJson ? await jsonOf(client, change, key) : await lineOf(client, change, key))
      }
      left = hasMore ? left - changes.length : 0
    }
  },
}

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
  return (await client.values.decryptValue(change, change.type ?? '', key)).value
}

function limitOf(text: string | null): number {
  if (text === null) return Infinity
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError('--limit is a number of changes, at least 1')
}
