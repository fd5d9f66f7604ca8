import { describeUnknownMember, findUnknownMembers, type MemberTree, parseInstant } from '@sealpost/kernel'
import { isSubscribable, queuedEvents, type SubscribableEventKind } from '@sealpost/protocol'
import type { WebhookDeliveryRecord, WebhookRecord, Webhooks, WebhookSettings } from '@sealpost/sdk'
import type { Command, Context, Given } from '../command.ts'
import { readJson, writeSecret } from '../files.ts'
import { CliError, UsageError } from '../terminal.ts'
import { limitOf, missingOption, secretPlaceOf } from './options.ts'

const WEBHOOK = ['SERVICE_ID', 'WEBHOOK_ID'] as const

const list: Command = {
  words: ['webhooks', 'list'],
  summary: 'List the webhooks of a service with their health',
  positionals: ['SERVICE_ID'],
  options: {},
  async run(context, { positionals: [serviceId = ''] }) {
    for await (const webhook of context.account().webhooks.list(serviceId)) show(context, webhook)
  },
}

const create: Command = {
  words: ['webhooks', 'create'],
  summary: 'Create a webhook for the events of a service',
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
  positionals: WEBHOOK,
  options: { limit: { type: 'string', value: 'COUNT', about: 'Stop after this many deliveries; 20 by default' } },
  async run({ account, terminal, isJson }, given) {
    const [serviceId = '', webhookId = ''] = given.positionals
    let left = limitOf(given, 'deliveries', 20)
    for await (const delivery of account().webhooks.deliveries(serviceId, webhookId)) {
      terminal.print(isJson ? JSON.stringify(delivery) : deliveryLine(delivery))
      left -= 1
      if (left === 0) return
    }
  },
}

const replay: Command = {
  words: ['webhooks', 'replay'],
  summary: 'Send the backlog now, or all events since a time',
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

export const webhookCommands: readonly Command[] = [
  list,
  create,
  test,
  deliveries,
  stateCommand('pause', 'Queue events without sending them', (webhooks, ...ids) => webhooks.pause(...ids)),
  stateCommand('resume', 'Send again, starting with the queued events', (webhooks, ...ids) => webhooks.resume(...ids)),
  stateCommand('probe', 'Probe a failing webhook now instead of after its delay', (webhooks, ...ids) =>
    webhooks.probe(...ids),
  ),
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

function deliveryLine(delivery: WebhookDeliveryRecord): string {
  const { at, kind, event, duration_ms: durationMs } = delivery
  return [at, kind.padEnd(6), event, answerOf(delivery), `${durationMs} ms`].join('  ')
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

function settingsOf({ terminal }: Context, given: Given): WebhookSettings {
  const [events, format, authFile] = [given.text('events'), given.text('format'), given.text('auth-file')]
  return {
    url: given.text('url') ?? missingOption('url'),
    encrypt_payload: given.flag('encrypt-payload'),
    enabled: !given.flag('disabled'),
    ...(events === null ? {} : { events: kindsOf(events) }),
    ...(format === null ? {} : { format: formatOf(format) }),
    ...(authFile === null ? {} : authOf(readJson(terminal, authFile, 'the authentication'), authFile)),
  }
}

/** Parses a comma-separated list of events. */
export function kindsOf(text: string): SubscribableEventKind[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !isSubscribable(name))
  if (unknown === undefined) return names.filter((name) => isSubscribable(name))
  throw new UsageError(`there is no event ${unknown}; there are: ${Object.keys(queuedEvents).join(', ')}`)
}

function formatOf(text: string): WebhookRecord['format'] {
  if (text === 'json' || text === 'xml') return text
  throw new UsageError('--format is json or xml')
}

const AUTH_TYPES: readonly WebhookRecord['auth_type'][] = ['hmac', 'bearer', 'basic', 'header', 'none']
const AUTH_MEMBERS = [
  'hmac_secret',
  'auth_token',
  'auth_username',
  'auth_password',
  'auth_header_name',
  'auth_header_value',
] as const

const AUTH_TREE: MemberTree = Object.fromEntries(['auth_type', ...AUTH_MEMBERS].map((name) => [name, null]))

function authOf(document: unknown, file: string): Partial<WebhookSettings> {
  const members: Readonly<Record<string, unknown>> = typeof document === 'object' ? { ...document } : {}
  const authType = AUTH_TYPES.find((type) => type === members['auth_type'])
  if (authType === undefined) throw new CliError(`auth_type in ${file} must be one of ${AUTH_TYPES.join(', ')}`)
  const [unknown] = findUnknownMembers(AUTH_TREE, members, 1)
  if (unknown !== undefined) throw new CliError(`${file} is not used: ${describeUnknownMember(unknown)}`)
  const secrets = AUTH_MEMBERS.map((name) => [name, members[name]] as const)
  return {
    auth_type: authType,
    ...Object.fromEntries(secrets.filter(([, value]) => typeof value === 'string')),
  }
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
