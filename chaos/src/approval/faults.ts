import { cutFault, type Fault, regionFault } from '../inject-faults.ts'
import type { Site } from './site.ts'

export interface FaultPlan {
  readonly challenges: number
  readonly kills: number
  readonly cuts: number
}

export function orderFaults(site: Site, { kills, cuts }: FaultPlan): readonly Fault[] {
  const [eu, us] = [regionFault(site.installation, 'eu'), regionFault(site.installation, 'us')]
  const kinds = [redisFault(site, true), eu, redisFault(site, false), us]
  const killing = Array.from({ length: kills }, (_, index) => kinds[index % kinds.length] ?? eu)
  const step = Math.max(1, Math.floor(kills / Math.max(1, cuts)))
  return killing.flatMap((fault, index) =>
    index % step === 0 && index / step < cuts ? [fault, cutFault(site.links)] : [fault],
  )
}

function redisFault({ redis }: Site, isEmptied: boolean): Fault {
  return {
    name: isEmptied ? 'Redis was killed and emptied' : 'Redis was killed',
    async begin() {
      await redis.kill()
      return async () => {
        if (isEmptied) await redis.wipe()
        await redis.start()
      }
    },
  }
}
