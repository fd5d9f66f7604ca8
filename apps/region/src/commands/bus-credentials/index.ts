import { parseArgs } from 'node:util'
import { DIRECTORY, FORWARDER, parseParty, type Party } from '@sealpost/bus'
import type { RegionAddress } from '@sealpost/protocol'
import { BUS_CREDENTIALS } from './usage.ts'
import { type BusSite, writeBusCredentials } from './write.ts'

export { type BusSite, writeBusCredentials } from './write.ts'

const INSTALL_AT = '/etc/sealpost-bus'

/** `bus:credentials`: needs no database and no running region, because a region does not start without its result. */
export async function runBusCredentials(
  regions: readonly RegionAddress[],
  args: readonly string[],
  nowMs: number,
): Promise<string> {
  const { out, rotate, ...values } = readOptions(args)
  if (out === undefined) throw new Error(usage('say where to write with --out'))
  const sites = regions.map(siteOf)
  const rotated = rotate === undefined ? null : parseParty(rotate)
  if (rotated !== null && ![DIRECTORY, FORWARDER, ...sites.map(({ region }) => region)].includes(rotated))
    throw new Error(usage(`${rotated} is neither a region of REGIONS nor ${DIRECTORY} nor ${FORWARDER}`))
  const lines = await writeBusCredentials({
    sites,
    folder: out,
    installAt: values['install-at'] ?? INSTALL_AT,
    rotate: rotated,
    hasNewAuthority: values['new-authority'] === true,
    isRetiring: values.retire === true,
    nowMs,
  })
  return lines.join('\n')
}

function siteOf({ code, natsUrls }: RegionAddress): BusSite {
  const region: Party = parseParty(code)
  return { region, hosts: natsUrls.map((url) => new URL(url).hostname.replaceAll(/^\[|\]$/g, '')) }
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        out: { type: 'string' },
        'install-at': { type: 'string' },
        rotate: { type: 'string' },
        'new-authority': { type: 'boolean' },
        retire: { type: 'boolean' },
      },
    })
    return values
  } catch (error) {
    throw new Error(usage(error instanceof Error ? error.message : String(error)), { cause: error })
  }
}

function usage(problem: string): string {
  return `${problem}: ${BUS_CREDENTIALS.name} ${BUS_CREDENTIALS.takes}`
}
