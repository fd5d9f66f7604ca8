import { customSetting, listSetting, switchSetting, type Settings } from '@sealpost/kernel'
import { isInside, parseBlock, type Address, type AddressBlock } from './address.ts'
import { deliveredAddress, specialRangeOf, type SpecialRange } from './special-ranges.ts'

/** The allowed targets. The default is the public Internet and nothing else. */
export interface EgressPolicy {
  /** For development: allows requests to loopback, private, link-local and carrier-NAT ranges. */
  readonly allowPrivateTargets?: boolean
  /**
   * Our own machines, which must not be reached through us: `api.example.com`, `.example.com` (the domain and all below
   * it), `192.0.2.7` or `192.0.2.0/24`.
   */
  readonly platformHosts?: readonly string[]
  /** The public URLs of this platform: their hosts are refused at every port, and an address at its own. */
  readonly platformUrls?: readonly string[]
  /**
   * Infrastructure that this process may call at any address: `objects.internal`, `10.0.0.7:9000`, `[fd00::7]:9000`.
   */
  readonly internalHosts?: readonly string[]
  /** The only ports allowed; absent means any. */
  readonly ports?: readonly number[]
}

export const egressSettings = {
  ALLOW_PRIVATE_TARGETS: switchSetting({
    about: 'Allows webhooks and plugins to reach loopback and private addresses; for development only',
    fallback: '0',
  }),
  EGRESS_PLATFORM_HOSTS: customSetting(
    {
      about: 'Host names, domains (`.example.com`) and address blocks of this platform, refused as targets',
      fallback: '',
    },
    'a comma-separated list of hosts and address blocks',
    readHosts,
  ),
  EGRESS_INTERNAL_HOSTS: listSetting({
    about: 'Hosts (`host` or `host:port`) of our own infrastructure that may be called although they are not public',
    fallback: '',
  }),
}

export function egressPolicy(settings: Settings<typeof egressSettings>): EgressPolicy {
  return {
    allowPrivateTargets: settings.ALLOW_PRIVATE_TARGETS,
    platformHosts: settings.EGRESS_PLATFORM_HOSTS,
    internalHosts: settings.EGRESS_INTERNAL_HOSTS,
  }
}

/** For targets that customers choose: excludes our own infrastructure, which other requests may call. */
export function customerPolicy(
  settings: Settings<typeof egressSettings>,
  platformUrls: readonly string[],
): EgressPolicy {
  return { ...egressPolicy(settings), internalHosts: [], platformUrls }
}

const OPENED_FOR_DEVELOPMENT: ReadonlySet<SpecialRange> = new Set([
  'loopback',
  'private',
  'carrier_nat',
  'link_local',
  'unique_local',
])

export function refuseAddress(policy: EgressPolicy, address: Address): SpecialRange | 'platform_host' | null {
  const delivered = deliveredAddress(address)
  if (platformBlocks(policy).some((block) => isInside(delivered, block))) return 'platform_host'
  const range = specialRangeOf(address)
  if (range === null) return null
  return policy.allowPrivateTargets === true && OPENED_FOR_DEVELOPMENT.has(range) ? null : range
}

export function isPlatformName(policy: EgressPolicy, name: string): boolean {
  return (policy.platformHosts ?? []).some((entry) =>
    entry.startsWith('.') ? `.${name}`.endsWith(entry.toLowerCase()) : name === entry.toLowerCase(),
  )
}

export function isInternal(policy: EgressPolicy, host: string, port: number): boolean {
  return (policy.internalHosts ?? []).some((entry) => {
    const wanted = entry.toLowerCase()
    return wanted === host || wanted === `${host}:${port}`
  })
}

function platformBlocks(policy: EgressPolicy): AddressBlock[] {
  return (policy.platformHosts ?? []).map(parseBlock).filter((block) => block !== null)
}

function readHosts(text: string): readonly string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const wrong = entries.find((entry) => entry.includes('/') && parseBlock(entry) === null)
  if (wrong !== undefined) throw new Error(`${wrong} is not an address block`)
  return entries
}
