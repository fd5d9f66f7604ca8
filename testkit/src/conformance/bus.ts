import { afterAll, beforeAll, describe } from 'vitest'
import { type BusSite, type OpenBus, openSite } from './bus/site.ts'
import { describeTells } from './bus/tells.ts'

/** What every implementation of the bus promises. It starts engines of its own. */
export function describeBus(openBus: OpenBus): void {
  let site: BusSite
  beforeAll(async () => {
    site = await openSite(openBus)
  })
  afterAll(() => site.close())
  describe('a tell', () => describeTells(() => site))
}
