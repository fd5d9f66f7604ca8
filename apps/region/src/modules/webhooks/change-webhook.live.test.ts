import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import type { WebhooksContext } from './context.ts'
import { changeWebhook } from './operations/change-webhook.ts'
import { deleteWebhook } from './operations/delete-webhook.ts'
import { nameOf } from './testing/webhooks.ts'

const world = await openWorld()
const service = await world.service()
const actor = { actorId: service.company.companyId }

/** Calls `onCommit` between the commit of the change and the next read. */
function contextWith(onCommit: () => Promise<unknown>): WebhooksContext {
  const { webhooks } = world.eu.modules
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

test('a generated signing secret is answered once the change is committed, also when the following read fails', async () => {
  const kept = await service.webhook({ auth_type: 'none' })
  const given = { url: kept.receiver.url, auth_type: 'hmac', format: 'xml' } as const
  const broken = () => contextWith(() => Promise.reject(new Error('no database for a moment')))
  const answer = await changeWebhook(broken(), actor, nameOf(service, kept), given)
  const shown = await kept.read()
  expect(answer).toEqual({ ...shown, hmac_secret_once: expect.stringMatching(/^whsec_/) })
  expect(shown).toMatchObject({ auth_type: 'hmac', format: 'xml' })
  expect(answer.hmac_secret_once?.slice(-4)).toBe(String(shown['hmac_secret']).slice(-4))
  // A change without a generated secret may fail: it can be repeated.
  await expect(changeWebhook(broken(), actor, nameOf(service, kept), given)).rejects.toThrow('no database for a moment')

  const deleted = await service.webhook({ auth_type: 'none' })
  const gone = contextWith(() => deleteWebhook(world.eu.modules.webhooks, actor, nameOf(service, deleted)))
  const last = await changeWebhook(gone, actor, nameOf(service, deleted), { ...given, url: deleted.receiver.url })
  expect(last.hmac_secret_once).toMatch(/^whsec_/)
  await expect(deleted.read()).rejects.toThrow()
})
