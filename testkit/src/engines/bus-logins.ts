import { DIRECTORY, FORWARDER, parseParty, type Party } from '@sealpost/bus'
import { accountConfig, createKey, keysText, publicKeyOf } from '@sealpost/bus/credentials'
import type { Secret } from '@sealpost/kernel'

/** The logins of all parties of a test installation, as `bus:credentials` makes them. */
export interface BusLogins {
  readonly parties: readonly Party[]
  /** The key of a party at the NATS of a region. */
  key(party: Party, region: Party): Secret<string>
  /** The setting `NATS_KEYS` of a party. */
  setting(party: Party): Secret<string>
  /** For the NATS of a region: what a private server is started with. */
  server(region: Party): NatsAccount
}

export interface NatsAccount {
  readonly config: string
  /** Of a user without limits, for probes and for tests that watch a server. No installation outside tests has one. */
  readonly observer: Secret<string>
}

export function createBusLogins(codes: readonly string[] = ['eu', 'us']): BusLogins {
  const regions = codes.map(parseParty)
  const parties = [DIRECTORY, FORWARDER, ...regions]
  const keys = new Map(
    parties.map((party) => [party, new Map(regions.map((region) => [region, createKey()] as const))] as const),
  )
  const keysOf = (party: Party) => keys.get(party) ?? new Map<Party, Secret<string>>()
  const key = (party: Party, region: Party): Secret<string> => {
    const found = keysOf(party).get(region)
    if (found === undefined) throw new Error(`${party} has no key for the NATS of ${region}`)
    return found
  }
  return {
    parties,
    key,
    setting: (party) => keysText(keysOf(party)),
    server(region) {
      const observer = createKey()
      const publicKeys = new Map(parties.map((party) => [party, [publicKeyOf(key(party, region))]] as const))
      return { config: accountConfig(region, publicKeys, [publicKeyOf(observer)]), observer }
    },
  }
}
