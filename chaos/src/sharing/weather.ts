import type { AppProcess } from '@sealpost/testkit'
import type { Region, Site } from './site.ts'

/** What is broken at the moment, as those who measure need to know it. */
export interface Weather {
  /** How an edit of a person in this region is judged: what matters is whether the *other* one can be reached. */
  stateFor(region: Region): State
  /** Rises whenever a process is killed or ready again; a call during which it changed proves nothing. */
  lives(region: Region): number
  isUp(region: Region): boolean
  kill(region: Region): Promise<void>
  start(region: Region): Promise<void>
  cut(): void
  mend(): void
}

/** `unsteady`: something is being started, which takes the machine's time from everybody. */
export type State = 'healthy' | 'cut' | 'other dead' | 'unsteady'

export function watchWeather({ installation, links }: Site): Weather {
  const lives: Record<Region, number> = { eu: 0, us: 0 }
  const phase: Record<Region, 'up' | 'dead' | 'starting'> = { eu: 'up', us: 'up' }
  let isCut = false
  const processOf = (region: Region): AppProcess => installation[region]
  const enter = (region: Region, next: 'up' | 'dead' | 'starting'): void => {
    phase[region] = next
    lives[region] += 1
  }
  return {
    stateFor(region) {
      const other = region === 'eu' ? 'us' : 'eu'
      if (phase[region] !== 'up' || phase[other] === 'starting') return 'unsteady'
      if (phase[other] === 'dead') return 'other dead'
      return isCut ? 'cut' : 'healthy'
    },
    lives: (region) => lives[region],
    isUp: (region) => phase[region] === 'up',
    async kill(region) {
      enter(region, 'dead')
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
