import type { AppProcess } from '@sealpost/testkit'
import type { Region, Site } from './site.ts'

/** Kills regions and cuts the link between them, and knows what is broken at the moment. */
export interface RegionStates {
  /** The state under which an edit in this region is measured: it depends on whether the *other* one can be reached. */
  stateFor(region: Region): State
  /** Rises whenever the process is killed or started; a call during which it changed is not measured. */
  changes(region: Region): number
  isUp(region: Region): boolean
  kill(region: Region): Promise<void>
  start(region: Region): Promise<void>
  cut(): void
  mend(): void
}

/** `unsteady`: a process is starting, which uses CPU time of the machine. */
export type State = 'healthy' | 'cut' | 'other down' | 'unsteady'

export function trackRegions({ installation, links }: Site): RegionStates {
  const changes: Record<Region, number> = { eu: 0, us: 0 }
  const phase: Record<Region, 'up' | 'down' | 'starting'> = { eu: 'up', us: 'up' }
  let isCut = false
  const processOf = (region: Region): AppProcess => installation[region]
  const enter = (region: Region, next: 'up' | 'down' | 'starting'): void => {
    phase[region] = next
    changes[region] += 1
  }
  return {
    stateFor(region) {
      const other = region === 'eu' ? 'us' : 'eu'
      if (phase[region] !== 'up' || phase[other] === 'starting') return 'unsteady'
      if (phase[other] === 'down') return 'other down'
      return isCut ? 'cut' : 'healthy'
    },
    changes: (region) => changes[region],
    isUp: (region) => phase[region] === 'up',
    async kill(region) {
      enter(region, 'down')
      await processOf(region).kill()
    },
    async start(region) {
      enter(region, 'starting')
      await processOf(region).start()
      enter(region, 'up')
    },
    cut() {
      isCut = true
      for (const link of links) link.cut()
    },
    mend() {
      isCut = false
      for (const link of links) link.mend()
    },
  }
}
