import { parseInstant } from '@sealpost/kernel'
import type { WebhookDeliveryRecord, WebhookRecord, Webhooks } from '@sealpost/sdk'
import type { Command, Context } from '../command.ts'
import { writeSecret } from '../files.ts'
import { printList } from '../table.ts'
import { CliError, type Terminal, UsageError } from '../terminal.ts'
import { confirm, limitOf, secretPlaceOf, yesOption } from './options.ts'
import { changesOf, settingsOf, settingsOfRecord } from './webhook-settings.ts'

const WEBHOOK = ['SERVICE_ID', 'WEBHOOK_ID'] as const

const list: Command = {
  words: ['webhooks', 'list'],
  summary: 'List the webhooks of a service with their health',
  json: 'lines',
  positionals: ['SERVICE_ID'],
  options: {},
  async run(context, { positionals: [serviceId = ''] }) {
    for await (const webhook of context.account().webhooks.list(serviceId)) show(context, webhook)
  },
}

const create: Command = {
  words: ['webhooks', 'create'],
  summary: 'Create a webhook for the events of a service',
  json: 'document',
  about:
    'Deliveries are signed with a secret that the platform makes and shows once: name a file for it. For another kind of\n' +
    'authentication give a file with auth_type and its members: {"auth_type":"bearer","auth_token":"…"}.',
  positionals: ['SERVICE_ID'],
  options: {
    url: { type: 'string', value: 'URL', about: 'Required' },
    events: { type: 'string', value: 'A,B', about: 'Only these events; all by default' },
    format: { type: 'string', value: 'FORMAT', about: 'json (default) or xml' },
    'auth-file': { type: 'string', value: 'FILE', about: 'auth_type and its secrets, as JSON' },
    'encrypt-payload': { type: 'boolean', about: 'Seal the whole body to the account key' },
    disabled: { type: 'boolean', about: 'Neither queue nor send events yet' },
    'secret-file': { type: 'string', value: 'FILE', about: 'Write the secret to this file, readable for you only' },
    'show-secret': { type: 'boolean', about: 'Print the secret' },
  },
  async run(context, given) {
    const [serviceId = ''] = given.positionals
    const { terminal, isJson } = context
    const settings = settingsOf(context, given)
    const isMade = (settings.auth_type ?? 'hmac') === 'hmac' && typeof settings.hmac_secret !== 'string'
    const { file, isPrinted } = secretPlaceOf(context, given, 'secret', isMade)
    const { hmac_secret_once: secret, ...webhook } = await context.account().webhooks.create(serviceId, settings)
    if (file !== null && secret !== null) writeSecret(terminal, file, `${secret}\n`)
    const printed = isPrinted ? secret : null
    if (isJson) {
      return terminal.print(JSON.stringify(printed === null ? webhook : { ...webhook, hmac_secret_once: printed }))
    }
    terminal.print(webhook.id)
    if (printed !== null) terminal.print(printed)
  },
}

const test: Command = {
  words: ['webhooks', 'test'],
  summary: 'Send one test event, which affects neither queue nor health',
  json: 'document',
  positionals: WEBHOOK,
  options: {},
  async run(context, { positionals: [serviceId = '', webhookId = ''] }) {
    const answer = await context.account().webhooks.test(serviceId, webhookId)
    const { http_status: status, duration_ms: durationMs } = answer
    context.terminal.print(context.isJson ? JSON.stringify(answer) : `${answerOf(answer)}  ${durationMs} ms`)
    if (status !== 200) throw new CliError('the receiver did not answer 200')
  },
}

const deliveries: Command = {
  words: ['webhooks', 'deliveries'],
  summary: 'List the deliveries of the last 7 days, newest first',
  json: 'lines',
  positionals: WEBHOOK,
  options: { limit: { type: 'string', value: 'COUNT', about: 'Stop after this many deliveries; 20 by default' } },
  async run(context, given) {
    const [serviceId = '', webhookId = ''] = given.positionals
    const limit = limitOf(given, 'deliveries', 20)
    const all = context.account().webhooks.deliveries(serviceId, webhookId)
    await printList(context, all, ['at', 'kind', 'event', 'answer', 'duration'], deliveryCells, limit)
  },
}

const replay: Command = {
  words: ['webhooks', 'replay'],
  summary: 'Send the backlog now, or all events since a time',
  json: 'document',
  about:
    'With --since, all events since then (at most 7 days) are sent, also those that were delivered before or happened while\n' +
    'the webhook was disabled. Receivers recognise repetitions by webhook-id.',
  positionals: WEBHOOK,
  options: { since: { type: 'string', value: 'TIME', about: 'A time such as 2026-05-01T09:30:00Z' } },
  async run({ account, terminal, isJson }, { positionals: [serviceId = '', webhookId = ''], text }) {
    const since = sinceOf(text('since'))
    const answer = await account().webhooks.replay(serviceId, webhookId, since === null ? {} : { since })
    terminal.print(isJson ? JSON.stringify(answer) : `${answer.queued} queued`)
  },
}

const update: Command = {
  words: ['webhooks', 'update'],
  summary: 'Change a webhook and print its state; options that are left out keep their settings',
  json: 'document',
  positionals: WEBHOOK,
  options: {
    url: { type: 'string', value: 'URL', about: 'The new address' },
    events: { type: 'string', value: 'A,B', about: 'Only these events; all for all of them' },
    format: { type: 'string', value: 'FORMAT', about: 'json or xml' },
    'auth-file': { type: 'string', value: 'FILE', about: 'auth_type and its secrets, as JSON' },
    'encrypt-payload': { type: 'string', value: 'YES', about: 'yes or no: seal the whole body to the account key' },
    enabled: { type: 'string', value: 'YES', about: 'yes or no: while no, events are neither queued nor sent' },
    'secret-file': { type: 'string', value: 'FILE', about: 'For the secret that a change to hmac makes' },
    'show-secret': { type: 'boolean', about: 'Print that secret' },
  },
  async run(context, given) {
    const [serviceId = '', webhookId = ''] = given.positionals
    const { webhooks } = context.account()
    const changed = changesOf(context, given)
    const { file, isPrinted } = secretPlaceOf(context, given, 'secret', changed.auth_type === 'hmac')
    const present = settingsOfRecord(await webhooks.read(serviceId, webhookId))
    const { hmac_secret_once: secret, ...webhook } = await webhooks.change(serviceId, webhookId, {
      ...present,
      ...changed,
    })
    if (file !== null && secret !== null) writeSecret(context.terminal, file, `${secret}\n`)
    const printed = isPrinted ? secret : null
    if (context.isJson && printed !== null) {
      return context.terminal.print(JSON.stringify({ ...webhook, hmac_secret_once: printed }))
    }
    show(context, webhook)
    if (printed !== null) context.terminal.print(printed)
  },
}

const remove: Command = {
  words: ['webhooks', 'delete'],
  summary: 'Delete a webhook with the events that wait for it',
  json: 'document',
  positionals: WEBHOOK,
  options: { yes: yesOption },
  async run(context, given) {
    const [serviceId = '', webhookId = ''] = given.positionals
    const { webhooks } = context.account()
    const { url, health } = await webhooks.read(serviceId, webhookId)
    await confirm(
      context,
      given,
      `delete ${withoutQuery(url)} and drop the ${health.backlog_count} events that wait for it`,
    )
    await webhooks.delete(serviceId, webhookId)
    const { terminal, isJson } = context
    terminal.print(isJson ? JSON.stringify({ id: webhookId, deleted: true }) : `deleted ${webhookId}`)
  },
}

const rotate: Command = {
  words: ['webhooks', 'rotate'],
  summary: 'Make a new signing secret; the old one stays valid for a while',
  json: 'document',
  about: 'During that time deliveries carry a signature of each, so that receivers can be updated one after the other.',
  positionals: WEBHOOK,
  options: {
    'grace-seconds': { type: 'string', value: 'SECONDS', about: 'How long the old one stays valid; 86400 by default' },
    'secret-file': { type: 'string', value: 'FILE', about: 'Write the secret to this file, readable for you only' },
    'show-secret': { type: 'boolean', about: 'Print the secret' },
  },
  async run(context, given) {
    const [serviceId = '', webhookId = ''] = given.positionals
    const { terminal, isJson } = context
    const graceSeconds = graceOf(given.text('grace-seconds'))
    const { file, isPrinted } = secretPlaceOf(context, given, 'secret')
    const { webhooks } = context.account()
    const made = await webhooks.regenerateSecret(serviceId, webhookId, graceSeconds === null ? {} : { graceSeconds })
    const { hmac_secret_once: secret, previous_valid_until: until } = made
    if (file !== null) writeSecret(terminal, file, `${secret ?? ''}\n`)
    if (isJson) return terminal.print(JSON.stringify(isPrinted ? made : { previous_valid_until: until }))
    terminal.print(`the old secret is valid until ${until ?? 'now'}`)
    if (isPrinted) terminal.print(secret ?? '')
  },
}

const probe: Command = {
  words: ['webhooks', 'probe'],
  summary: 'Probe a failing webhook now instead of after its delay, and print its state afterwards',
  json: 'document',
  positionals: WEBHOOK,
  options: {},
  async run(context, { positionals: [serviceId = '', webhookId = ''] }) {
    const { terminal } = context
    const { webhooks } = context.account()
    const before = await webhooks.read(serviceId, webhookId)
    await webhooks.probe(serviceId, webhookId)
    show(context, await probed(terminal, webhooks, before, [serviceId, webhookId]))
  },
}

export const webhookCommands: readonly Command[] = [
  list,
  create,
  update,
  remove,
  rotate,
  test,
  deliveries,
  stateCommand('pause', 'Queue events without sending them', (webhooks, ...ids) => webhooks.pause(...ids)),
  stateCommand('resume', 'Send again, starting with the queued events', (webhooks, ...ids) => webhooks.resume(...ids)),
  probe,
  replay,
]

function stateCommand(
  word: string,
  summary: string,
  run: (webhooks: Webhooks, serviceId: string, webhookId: string) => Promise<WebhookRecord>,
): Command {
  return {
    words: ['webhooks', word],
    summary,
    json: 'document',
    positionals: WEBHOOK,
    options: {},
    run: async (context, { positionals: [serviceId = '', webhookId = ''] }) =>
      show(context, await run(context.account().webhooks, serviceId, webhookId)),
  }
}

function show({ terminal, isJson }: Context, webhook: WebhookRecord): void {
  if (isJson) return terminal.print(JSON.stringify(webhook))
  const { id, url, enabled, paused, health } = webhook
  const state = enabled ? (paused ? 'paused' : health.state) : 'disabled'
  terminal.print(`${id}  ${state.padEnd(8)}  ${withoutQuery(url)}`)
  if (health.backlog_count > 0) {
    terminal.print(`  ${health.backlog_count} waiting, the oldest since ${health.backlog_oldest_at ?? 'just now'}`)
  }
  if (health.last_error !== null) terminal.print(`  last error: ${health.last_error}`)
}

function deliveryCells(delivery: WebhookDeliveryRecord): readonly string[] {
  const { at, kind, event, duration_ms: durationMs } = delivery
  return [at, kind, event, answerOf(delivery), `${durationMs} ms`]
}

const PROBE_SECONDS = 12
const ASK_EVERY_MS = 500

/** The probe runs in a worker: waits for its delivery, at most a little longer than a receiver may take. */
async function probed(
  terminal: Terminal,
  webhooks: Webhooks,
  before: WebhookRecord,
  ids: readonly [serviceId: string, webhookId: string],
): Promise<WebhookRecord> {
  if (before.health.state === 'running') return webhooks.read(...ids)
  const latest = async (): Promise<string | null> => {
    for await (const { id, kind } of webhooks.deliveries(...ids)) if (kind === 'probe') return id
    return null
  }
  const seen = await latest()
  const signal = terminal.untilInterrupted()
  for (let asked = 0; asked < (PROBE_SECONDS * 1000) / ASK_EVERY_MS; asked += 1) {
    const webhook = await webhooks.read(...ids)
    if (webhook.health.state === 'running' || (await latest()) !== seen) return webhooks.read(...ids)
    if (asked === 0) terminal.log('probing …')
    await terminal.wait(ASK_EVERY_MS, signal)
  }
  return webhooks.read(...ids)
}

/** Explanations of the platform's error classes for the developer of the receiver. */
const UNANSWERED: Readonly<Record<string, string>> = {
  refused: 'not sent: the platform does not call such an address',
  config: 'not sent: the configuration of the webhook is invalid',
  dns: 'no answer: the host name was not found',
  connect: 'no answer: connection refused or unreachable',
  tls: 'no answer: the certificate is not accepted',
  timeout: 'no answer in time',
  protocol: 'no answer: the response is not valid HTTP',
}

function answerOf({
  http_status: status,
  error_class: word,
}: Pick<WebhookDeliveryRecord, 'http_status' | 'error_class'>): string {
  if (status !== null) return String(status)
  return word === null ? 'no answer' : (UNANSWERED[word] ?? `no answer: ${word}`)
}

function graceOf(text: string | null): number | null {
  if (text === null) return null
  if (/^\d{1,6}$/.test(text) && Number(text) <= 604_800) return Number(text)
  throw new UsageError('--grace-seconds is a number of seconds from 0 to 604800')
}

function sinceOf(text: string | null): Date | null {
  if (text === null) return null
  const at = parseInstant(text)
  if (at === null) throw new UsageError('--since is a time such as 2026-05-01T09:30:00Z')
  return new Date(at)
}

/** The query may contain a secret. */
function withoutQuery(url: string): string {
  return url.split('?')[0] ?? ''
}
