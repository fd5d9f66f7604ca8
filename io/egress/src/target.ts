import { accept, createBoundedCache, decline, type Result } from '@sealpost/kernel'
import { parseAddress, type Address } from './address.ts'
import type { RefusalReason } from './failure.ts'
import { isInternal, isPlatformName, refuseAddress, type EgressPolicy } from './policy.ts'
import { deliveredAddress } from './special-ranges.ts'

/** A URL whose text has been checked; a name still has to be resolved and its addresses checked too. */
export interface Target {
  readonly url: URL
  /** The request target. */
  readonly path: string
  readonly isSecure: boolean
  /** Lower case, without brackets or trailing dots: `new URL` keeps trailing dots, and name servers ignore them. */
  readonly host: string
  readonly port: number
  /** The address, when the URL names one. */
  readonly literal: Address | null
  /** Listed as our own infrastructure: its addresses are not checked. */
  readonly isInternal: boolean
}

export type TargetReader = (text: string) => Result<Target, RefusalReason>

const REMEMBERED_TARGETS = 4_096

/** The parsed URL and whether it is allowed depend on the text and the policy alone, so each text is parsed once. */
export function targetReader(policy: EgressPolicy): TargetReader {
  const known = createBoundedCache<string, Result<Target, RefusalReason>>({ most: REMEMBERED_TARGETS })
  return (text) => known.remember(text, () => readTarget(policy, text))
}

/**
 * The only parser of hosts. `new URL` rewrites octal, hexadecimal, decimal, short, full-width and percent-encoded IPv4
 * into dotted quads and refuses zone ids. Its result is checked and dialled; nothing parses the text a second time.
 */
export function readTarget(policy: EgressPolicy, text: string): Result<Target, RefusalReason> {
  if (!URL.canParse(text)) return decline('url_malformed')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return decline('scheme')
  if (url.username !== '' || url.password !== '') return decline('credentials')
  const target = describeTarget(policy, url)
  const refusal = refuseTarget(policy, target)
  return refusal === null ? accept(target) : decline(refusal)
}

/** Why a customer's address is refused before anything is sent to it; a name's addresses are checked at each request. */
export function targetRefusal(policy: EgressPolicy, text: string): RefusalReason | null {
  const target = readTarget(policy, text)
  return target.ok ? null : target.refusal
}

function describeTarget(policy: EgressPolicy, url: URL): Target {
  const isSecure = url.protocol === 'https:'
  const { host, port } = readOrigin(url)
  const literal = parseAddress(host)
  const listedAs = literal?.family === 6 ? `[${host}]` : host
  const path = `${url.pathname}${url.search}`
  return { url, path, isSecure, host, port, literal, isInternal: isInternal(policy, listedAs, port) }
}

function readOrigin({ protocol, hostname, port }: URL): { readonly host: string; readonly port: number } {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
}

function refuseTarget(policy: EgressPolicy, target: Target): RefusalReason | null {
  if (target.host === '') return 'url_malformed'
  if (target.isInternal) return null
  if (policy.ports !== undefined && !policy.ports.includes(target.port)) return 'port'
  if (isPlatformName(policy, target.host) || isPlatformUrl(policy, target)) return 'platform_host'
  if (target.literal !== null) return refuseAddress(policy, target.literal)
  return isLocalhost(target.host) && policy.allowPrivateTargets !== true ? 'loopback' : null
}

/** In development all parties share an address or `localhost`: there only the port tells them apart. */
function isPlatformUrl({ platformUrls = [] }: EgressPolicy, { host, port, literal }: Target): boolean {
  const isShared = literal !== null || isLocalhost(host)
  const delivered = literal === null ? host : deliveredAddress(literal).text
  return platformUrls.some((text) => {
    const own = readOrigin(new URL(text))
    return own.host === delivered && (!isShared || own.port === port)
  })
}

/** RFC 6761: these names are loopback by definition, whatever a resolver says. */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}
