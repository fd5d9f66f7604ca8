import { createHmac } from 'node:crypto'
import { keyOf, openWorld, type ReceivedHook, type Webhook } from '@sealpost/testkit'
import { expect, test } from 'vitest'

/** The number of earlier secrets that sign too; see the API reference. */
const MAX_EARLIER = 9
const FIRST = 'a chosen secret of ours'

const world = await openWorld()
const company = await world.company()
const open = () => world.service([], { company })

/** `webhook-signature` as a receiver computes it from these secrets. */
function signedBy({ headers, body, eventId }: ReceivedHook, secrets: readonly string[]): string {
  const prefix = `${eventId}.${String(headers['webhook-timestamp'])}.`
  const keys = secrets.map((secret) => (secret === FIRST ? FIRST : Buffer.from(secret.slice(6), 'base64')))
  return keys.map((key) => `v1,${createHmac('sha256', key).update(prefix).update(body).digest('base64')}`).join(' ')
}

async function regenerate(hook: Webhook, grace_seconds: number): Promise<string> {
  const answer = await hook.post('regenerate-hmac-secret', { grace_seconds })
  expect(answer.status).toBe(200)
  return String(answer.body['hmac_secret_once'])
}

test('a secret signs until its answered time, also when others are generated; a grace of 0 ends all earlier ones', async () => {
  const service = await open()
  const hook = await service.webhook({ hmac_secret: FIRST })
  const second = await regenerate(hook, 3600)
  const third = await regenerate(hook, 60)
  const next = async (): Promise<ReceivedHook> => {
    const count = hook.receiver.all.length + 1
    await service.append()
    const received = (await hook.receiver.take(count)).at(-1)
    if (received === undefined) throw new Error('no delivery came')
    return received
  }
  const during = await next()
  expect(during.headers['webhook-signature']).toBe(signedBy(during, [third, second, FIRST]))
  const newest = createHmac('sha256', third).update(during.body).digest('hex')
  expect(during.headers['x-platform-signature']).toBe(newest)

  world.clock.advance(60_000)
  const later = await next()
  expect(later.headers['webhook-signature']).toBe(signedBy(later, [third, FIRST]))

  const fourth = await regenerate(hook, 0)
  const after = await next()
  expect(after.headers['webhook-signature']).toBe(signedBy(after, [fourth]))
})

test('a secret that is set again after another one signs once', async () => {
  const service = await open()
  const hook = await service.webhook({ hmac_secret: FIRST })
  const second = await regenerate(hook, 3600)
  expect((await hook.change({ hmac_secret: FIRST })).status).toBe(200)
  await service.append()
  const [received] = await hook.receiver.take(1)
  expect(received?.headers['webhook-signature']).toBe(received && signedBy(received, [FIRST, second]))
})

test('a tenth earlier secret is refused, and the others keep their answered times', async () => {
  const service = await open()
  const hook = await service.webhook({ hmac_secret: FIRST })
  const secrets = [FIRST]
  for (let count = 0; count < MAX_EARLIER; count += 1) secrets.unshift(await regenerate(hook, 3600))
  for (const refused of [
    await hook.post('regenerate-hmac-secret', { grace_seconds: 1 }),
    await hook.change({ hmac_secret: 'another of ours' }),
  ]) {
    expect([refused.status, keyOf(refused)]).toEqual([409, 'services.webhook_secret_limit'])
  }
  expect((await hook.change({ format: 'xml' })).status).toBe(200)
  await service.append()
  const [received] = await hook.receiver.take(1)
  expect(received?.headers['webhook-signature']).toBe(received && signedBy(received, secrets))
  world.clock.advance(3_600_000)
  await regenerate(hook, 3600)
  await regenerate(hook, 0)
})
