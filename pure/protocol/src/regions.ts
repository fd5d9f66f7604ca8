import { customSetting, type RegionCode, type Setting } from '@sealpost/kernel'

/** One cell of the installation, as configured in every process. */
export interface RegionAddress {
  readonly code: RegionCode
  readonly name: string
  /** The base address that token responses carry as `api_url`. */
  readonly apiUrl: string
  /** One NATS server, or several of one cluster. */
  readonly natsUrls: readonly string[]
}

const CODE = /^[a-z][a-z0-9]{1,15}$/
/** Names on the bus that no region may have. */
const OTHER_PARTIES: ReadonlySet<string> = new Set(['directory', 'forwarder'])
const HTTP_URL = /^https?:\/\/[^\s/?#]+$/
/** Has no user or password: those are separate settings, and this text is logged. */
const NATS_URL = /^(nats|tls):\/\/[^\s@;]+$/

/** `eu|Europe|https://eu.example.com|nats://nats-1:4222;nats://nats-2:4222, us|…` */
export function parseRegions(text: string): readonly RegionAddress[] {
  const regions = text.split(',').map((part) => parseRegion(part.trim()))
  if (new Set(regions.map((region) => region.code)).size !== regions.length)
    throw new Error('two regions have the same code')
  return regions
}

export function regionsSetting({ about }: { about: string }): Setting<readonly RegionAddress[]> {
  return customSetting({ about }, 'a list of `code|name|http(s) address|nats address`', parseRegions)
}

function parseRegion(text: string): RegionAddress {
  const [code = '', name = '', apiUrl = '', servers = '', ...rest] = text.split('|')
  const natsUrls = servers.split(';')
  const areServers = natsUrls.every((url) => NATS_URL.test(url))
  const isWellFormed = CODE.test(code) && name !== '' && HTTP_URL.test(apiUrl) && areServers
  if (!isWellFormed || rest.length > 0 || OTHER_PARTIES.has(code))
    throw new Error(`cannot read ${JSON.stringify(text)}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is the parser of the brand
  return { code: code as RegionCode, name, apiUrl, natsUrls }
}
