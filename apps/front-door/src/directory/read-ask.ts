import { type ClientId, parseClientId, parseUuid, type RegionCode } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'

/** What comes in an ask is text; these make ids of it, or refuse. */
export function readClientId(text: string): ClientId {
  const id = parseClientId(text)
  if (id === null) throw invalid('client_id')
  return id
}

export function readId<Id extends string>(text: string): Id {
  const id = parseUuid<Id>(text)
  if (id === null) throw invalid('id')
  return id
}

export function readRegion(regions: readonly RegionCode[], text: string): RegionCode {
  const region = regions.find((code) => code === text)
  if (region === undefined) throw invalid('region')
  return region
}

function invalid(path: string): Error {
  return refuse('request.invalid', { details: [{ path: `/${path}`, message: 'is not known here' }] })
}
