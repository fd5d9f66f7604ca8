import { guardTransactions } from '@sealpost/postgres'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { describeAsks } from './bus/asks.ts'
import { describeAttachments } from './bus/attachments.ts'
import { describeFaults } from './bus/faults.ts'
import { describeHistory } from './bus/history.ts'
import { describeIdentity } from './bus/identity.ts'
import { describeRestores } from './bus/restores.ts'
import { type BusSite, type OpenBus, openSite } from './bus/site.ts'
import { describeTells } from './bus/tells.ts'

/** What every implementation of the bus promises. It starts engines of its own: some promises need one to die. */
export function describeBus(openBus: OpenBus): void {
  let site: BusSite
  beforeAll(async () => {
    guardTransactions()
    site = await openSite(openBus)
  })
  afterEach(() => site.tidy())
  afterAll(() => site.close())
  describe('a tell', () => describeTells(() => site))
  describe('an ask', () => describeAsks(() => site))
  describe('an attachment', () => describeAttachments(() => site))
  describe('the history', () => describeHistory(() => site))
  describe('a restore from a backup', () => describeRestores(() => site))
  describe('a fault', () => describeFaults(() => site))
  describe('the identity of a party', () => describeIdentity(() => site))
}
