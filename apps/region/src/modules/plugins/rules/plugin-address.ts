import { accept, decline, type Result } from '@sealpost/kernel'

export interface AddressFacts {
  /** Why requests to this address are refused, as a sentence; null when they are allowed. */
  refusalOf(url: string): string | null
  /** In development a plugin may run on this machine, which has neither a certificate nor port 443 to give. */
  readonly allowsPrivate: boolean
}

const LONGEST = 2048
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u

/** The address in its one form, without a slash at its end: two spellings of one address are one plugin. */
export function readPluginAddress(given: string, facts: AddressFacts): Result<string, string> {
  const url = given.length > LONGEST || BLANK_OR_CONTROL.test(given) ? null : URL.parse(given)
  if (url === null || url.hostname === '') return decline('it is not an absolute address')
  if (url.username !== '' || url.password !== '') return decline('it contains a user name or a password')
  if (given.includes('?')) return decline('it has a query')
  if (given.includes('#')) return decline('it has a fragment')
  url.hostname = url.hostname.replace(/\.+$/, '')
  const isLocal = facts.allowsPrivate && isLocalHost(url.hostname)
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
    return decline('it does not begin with https')
  if (url.port !== '' && !isLocal) return decline('its port is not 443')
  const address = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  const refusal = facts.refusalOf(address)
  return refusal === null ? accept(address) : decline(refusal)
}

function isLocalHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.[0-9.]+$/.test(host)
}
