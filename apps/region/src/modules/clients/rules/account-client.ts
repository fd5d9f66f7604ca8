import { accept, decline, type Result } from '@sealpost/kernel'
import { capabilities as allCapabilities, type Capability } from '@sealpost/protocol'
import { isAbsoluteUri } from './redirect-uri.ts'

export interface WantedAccountClient {
  readonly name: string
  readonly capabilities: readonly Capability[]
  readonly redirectUri: string | null
  readonly purpose: string | null
}

export interface WantedCapabilities {
  readonly capabilities: readonly Capability[]
  /** Undefined: unchanged. */
  readonly redirectUri: string | null | undefined
}

export type AccountClientRefusal =
  | 'account_clients.name_invalid'
  | 'account_clients.capabilities_invalid'
  | 'account_clients.redirect_uri_invalid'
  | 'account_clients.purpose_invalid'
  | 'account_clients.purpose_reserved'

interface AccountClientBody {
  readonly name?: unknown
  readonly capabilities?: unknown
  readonly redirect_uri?: unknown
  readonly purpose?: unknown
}

const MAX_NAME = 200
/** A character that is neither blank nor a control or format character. */
const VISIBLE = /[^\s\p{C}\p{Z}]/u
const PURPOSE = /^[a-z0-9_.:-]{1,64}$/
const RESERVED = ['crm:', 'shopify:']

/** `mayReserve`: for the operator, who alone creates clients of a reserved purpose. */
export function validateAccountClient(
  body: AccountClientBody,
  mayReserve = false,
): Result<WantedAccountClient, AccountClientRefusal> {
  const { name, purpose = null } = body
  if (!isName(name)) return decline('account_clients.name_invalid')
  const change = validateCapabilities(body)
  if (!change.ok) return change
  if (purpose !== null && (typeof purpose !== 'string' || !PURPOSE.test(purpose))) {
    return decline('account_clients.purpose_invalid')
  }
  if (isManaged({ purpose }) !== mayReserve) {
    return decline(mayReserve ? 'account_clients.purpose_invalid' : 'account_clients.purpose_reserved')
  }
  const { capabilities, redirectUri = null } = change.value
  return accept({ name, capabilities, redirectUri, purpose })
}

export function validateCapabilities(body: AccountClientBody): Result<WantedCapabilities, AccountClientRefusal> {
  const capabilities = readCapabilities(body.capabilities)
  if (capabilities === null) return decline('account_clients.capabilities_invalid')
  const redirectUri = body.redirect_uri
  if (redirectUri === undefined || redirectUri === null || isAbsoluteUri(redirectUri)) {
    return accept({ capabilities, redirectUri })
  }
  return decline('account_clients.redirect_uri_invalid')
}

/** Clients of a reserved purpose are managed by the platform: their owner may list and delete them. */
export function isManaged({ purpose }: { readonly purpose: string | null }): boolean {
  return purpose !== null && RESERVED.some((prefix) => purpose.startsWith(prefix))
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME && VISIBLE.test(value)
}

/** Each once, in the order of the list; null when a member is unknown. */
function readCapabilities(value: unknown): readonly Capability[] | null {
  if (!Array.isArray(value)) return null
  const given: readonly unknown[] = value
  const isKnown = given.every((member) => allCapabilities.some((known) => known === member))
  return isKnown ? allCapabilities.filter((known) => given.includes(known)) : null
}
