import { describeUnknownMember, findUnknownMembers, type MemberTree, nearest } from '@sealpost/kernel'
import { isSubscribable, queuedEvents, type SubscribableEventKind } from '@sealpost/protocol'
import type { WebhookRecord, WebhookSettings } from '@sealpost/sdk'
import type { Context, Given } from '../command.ts'
import { readJson } from '../files.ts'
import { CliError, UsageError } from '../terminal.ts'
import { missingOption } from './options.ts'

export function settingsOf({ terminal }: Context, given: Given): WebhookSettings {
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

export function settingsOfRecord({
  url,
  events,
  format,
  auth_type,
  encrypt_payload,
  enabled,
  ...rest
}: WebhookRecord): WebhookSettings {
  const { auth_username, auth_header_name } = rest
  return { url, events, format, auth_type, encrypt_payload, enabled, auth_username, auth_header_name }
}

export function changesOf({ terminal }: Context, { text }: Given): Partial<WebhookSettings> {
  const [url, events, format, authFile] = [text('url'), text('events'), text('format'), text('auth-file')]
  const [encrypted, enabled] = [
    yesOrNo(text('encrypt-payload'), 'encrypt-payload'),
    yesOrNo(text('enabled'), 'enabled'),
  ]
  const changes = {
    ...(url === null ? {} : { url }),
    ...(events === null ? {} : { events: events === 'all' ? [] : kindsOf(events) }),
    ...(format === null ? {} : { format: formatOf(format) }),
    ...(encrypted === null ? {} : { encrypt_payload: encrypted }),
    ...(enabled === null ? {} : { enabled }),
    ...(authFile === null ? {} : authOf(readJson(terminal, authFile, 'the authentication'), authFile)),
  }
  if (Object.keys(changes).length > 0) return changes
  throw new UsageError('name at least one setting to change, such as --url; see --help')
}

function yesOrNo(text: string | null, option: string): boolean | null {
  if (text === null) return null
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UsageError(`--${option} is yes or no`)
}

/** Parses a comma-separated list of events. */
export function kindsOf(text: string): SubscribableEventKind[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !isSubscribable(name))
  if (unknown === undefined) return names.filter((name) => isSubscribable(name))
  throw new UsageError(unknownEvent(unknown, Object.keys(queuedEvents)))
}

export function unknownEvent(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return `there is no event ${name}; ${meant === null ? `there are: ${known.join(', ')}` : `did you mean ${meant}?`}`
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
