import type { ServiceId, WebhookId } from '@sealpost/kernel'
import { northwind, openHooks, startTwoRegions, type TestHook, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OutletName } from '../feed/index.ts'
import { changeWebhook } from './change.ts'
import { deleteWebhook } from './deletion.ts'
import type { WebhooksNeeds } from './needs.ts'

const actor = { actorId: northwind.companyId }
let two: TwoRegions

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())

/** Something happens as soon as the change is durable, before anything else is read. */
function needsWith(onCommit: () => Promise<unknown>): WebhooksNeeds {
  const { webhooks } = two.eu.core
  const { database } = webhooks
  let isDurable = false
  return {
    ...webhooks,
    database: {
      ...database,
      async transaction(work) {
        const done = await database.transaction(work)
        isDurable = true
        return done
      },
      async read(work) {
        if (isDurable) await onCommit()
        return database.read(work)
      },
    },
  }
}

test('a signing secret that a change made gets out once the change is durable, whatever comes after that', async () => {
  const hooks = await openHooks(two)
  const nameOf = ({ id }: TestHook): OutletName => ({
    companyId: northwind.companyId,
    serviceId: hooks.desk.serviceId as ServiceId,
    webhookId: id as WebhookId,
  })
  const kept = await hooks.hook({ auth_type: 'none' })
  const given = { url: kept.receiver.url, auth_type: 'hmac', format: 'xml' } as const
  const broken = () => needsWith(() => Promise.reject(new Error('no database for a moment')))
  const answer = await changeWebhook(broken(), actor, nameOf(kept), given)
  const shown = await kept.read()
  expect(answer).toEqual({ ...shown, hmac_secret_once: expect.stringMatching(/^whsec_/) })
  expect(shown).toMatchObject({ auth_type: 'hmac', format: 'xml' })
  expect(answer.hmac_secret_once?.slice(-4)).toBe(String(shown['hmac_secret']).slice(-4))
  // One that made none may fail: it can be asked for again.
  await expect(changeWebhook(broken(), actor, nameOf(kept), given)).rejects.toThrow('no database for a moment')

  const deleted = await hooks.hook({ auth_type: 'none' })
  const gone = needsWith(() => deleteWebhook(two.eu.core.webhooks, actor, nameOf(deleted)))
  const last = await changeWebhook(gone, actor, nameOf(deleted), { ...given, url: deleted.receiver.url })
  expect(last.hmac_secret_once).toMatch(/^whsec_/)
  await expect(deleted.read()).rejects.toThrow()
  await hooks.close()
})
