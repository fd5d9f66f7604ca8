import { type Party, parseParty } from '@sealpost/bus'
import type { RegionCode } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { isFlagged } from '../store/regions.ts'

/** The region as a party to ask. Refuses while it is out of order, without waiting for an ask to time out. */
export async function openParty({ database }: Pick<Platform, 'database'>, region: RegionCode): Promise<Party> {
  if (await database.read((read) => isFlagged(read, region))) throw refuse('platform.out_of_order')
  return parseParty(region)
}
