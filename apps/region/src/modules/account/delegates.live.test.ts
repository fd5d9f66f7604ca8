import { type Calls, callsWith, openWorld, refreshWith, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { sealToRecoveryKey } from './operations/sealing.ts'

const UNKNOWN = '019a0000-0000-7000-8000-0000000000ff'

/** A tell crosses two regions. */
const SOON = { timeout: scaled(20_000) }

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()

describe('adding a delegate', () => {
  test('finds the user by share code in any region, lists and removes it', async () => {
    const body = { share_code: ` ${mara.shareCode.toLowerCase()} `, role: 'operator', services: [northwind.serviceId] }
    const added = await northwind.calls('POST', '/api/delegates', { body, key: 'delegate-1' })
    expect(added).toMatchObject({ status: 201 })
    expect(added.body).toEqual({
      id: expect.any(String),
      user_id: mara.userId,
      share_code: mara.shareCode,
      // Known from an earlier time as a delegate, or told within seconds.
      display_name: expect.toBeOneOf([null, mara.displayName]),
      role: 'operator',
      services: [northwind.serviceId],
      keyed_services: [],
      public_key: mara.login.keys.publicKey,
      created_at: expect.any(String),
    })
    const replayed = await northwind.calls('POST', '/api/delegates', { body, key: 'delegate-1' })
    expect(replayed.body).toEqual(added.body)
    expect(await northwind.calls('POST', '/api/delegates', { body })).toMatchObject({
      status: 409,
      body: { error_key: 'delegates.exists' },
    })
    const path = `/api/delegates/${String(added.body['id'])}`
    const named = { ...added.body, display_name: mara.displayName }
    await expect.poll(async () => (await northwind.calls('GET', path)).body, SOON).toEqual(named)
    const { body: list } = await northwind.calls('GET', '/api/delegates')
    expect(list).toEqual({ total: 1, items: [named], next_cursor: null })
    await remove(northwind.calls, added.body['id'])
    expect(await northwind.calls('GET', path)).toMatchObject({
      status: 404,
      body: { error_key: 'delegates.not_found' },
    })
    expect(await northwind.calls('GET', '/api/delegates')).toMatchObject({ body: { total: 0, items: [] } })
  })

  test('is refused for an unknown code, the owner, and another company’s service', async () => {
    const body = { share_code: harborline.shareCode, role: 'admin', services: [] as string[] }
    const add = (change: object) => northwind.calls('POST', '/api/delegates', { body: { ...body, ...change } })
    expect(await add({ share_code: 'AAAAAA' })).toMatchObject({
      status: 404,
      body: { error_key: 'delegates.user_not_found' },
    })
    expect(await add({ share_code: northwind.shareCode })).toMatchObject({
      status: 409,
      body: { error_key: 'delegates.exists' },
    })
    const foreign = await add({ services: [harborline.serviceId] })
    expect(foreign).toMatchObject({ status: 404, body: { error_key: 'services.not_found' } })
    expect((await add({ services: [UNKNOWN] })).text).toBe(foreign.text)
    for (const wrong of [{ role: 'owner' }, { services: 'all' }, { share_code: '' }]) {
      expect(await add(wrong)).toMatchObject({ status: 400, body: { error_key: 'request.invalid' } })
    }
  })

  test('is open to the owner and to clients that may manage delegates [WHITELIST-17]', async () => {
    const client = await northwind.accountClient(['delegate_management'])
    const body = { share_code: mara.shareCode, role: 'operator', services: [northwind.serviceId] }
    const added = await client.calls('POST', '/api/delegates', { body })
    expect(added.status).toBe(201)
    const sealed = await sealToRecoveryKey(mara.login.keys.publicKey, 'a passphrase')
    const key = `/api/delegates/${String(added.body['id'])}/services/${northwind.serviceId}/key`
    expect(await client.calls('PUT', key, { body: { sealed } })).toMatchObject({ status: 200 })
    await remove(client.calls, added.body['id'])
    const other = await northwind.accountClient(['service_management'])
    for (const { calls } of [other, mara]) {
      expect(await calls('GET', '/api/delegates')).toMatchObject({
        status: 403,
        body: { error_key: 'auth.client_endpoint_forbidden' },
      })
    }
    expect(await world.anonymous('GET', '/api/delegates')).toMatchObject({ status: 401 })
  })
})

describe('a delegate of another company', () => {
  test('answers the same as an unknown one, whatever the body', async () => {
    const added = await addMara()
    const answers = await Promise.all([
      harborline.calls('GET', `/api/delegates/${String(added)}`),
      harborline.calls('GET', `/api/delegates/${UNKNOWN}`),
      harborline.calls('DELETE', `/api/delegates/${String(added)}`),
      harborline.calls('DELETE', `/api/delegates/${UNKNOWN}`),
      harborline.calls('PUT', `/api/delegates/${String(added)}/services/${northwind.serviceId}/key`, {
        body: 7,
      }),
      harborline.calls('PUT', `/api/delegates/${UNKNOWN}/services/${UNKNOWN}/key`, { body: {} }),
    ])
    expect(answers[0]).toMatchObject({ status: 404, body: { error_key: 'delegates.not_found' } })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    await remove(northwind.calls, added)
  })
})

describe('handing over a key', () => {
  test('stores the passphrase sealed to the delegate, and nothing in the clear', async () => {
    const id = String(await addMara())
    const path = `/api/delegates/${id}/services/${northwind.serviceId}/key`
    const sealed = await sealToRecoveryKey(mara.login.keys.publicKey, 'a passphrase')
    for (const answer of [
      await northwind.calls('PUT', path, { body: { sealed } }),
      await northwind.calls('PUT', path, { body: { sealed } }),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: { keyed_services: [northwind.serviceId] } })
    }
    expect(await northwind.calls('PUT', path, { body: { sealed: 'open' } })).toMatchObject({
      status: 400,
      body: { error_key: 'contact_data.encryption_required' },
    })
    const elsewhere = `/api/delegates/${id}/services/${harborline.serviceId}/key`
    expect(await northwind.calls('PUT', elsewhere, { body: { sealed } })).toMatchObject({
      status: 404,
      body: { error_key: 'services.not_found' },
    })
    await remove(northwind.calls, id)
  })
})

describe('a delegate in the portal', () => {
  test('acts for the company until removed, and never reaches its security settings', async () => {
    const body = { share_code: harborline.shareCode, role: 'admin', services: [northwind.serviceId] }
    const added = await northwind.calls('POST', '/api/delegates', { body })
    const delegate = await actFor(harborline.cookies, northwind.companyId)
    expect(await delegate('GET', '/api/account')).toMatchObject({
      status: 200,
      body: { id: northwind.companyId, email: northwind.email },
    })
    const closed = [
      ['GET', '/api/account-key'],
      ['GET', '/api/account/recovery-key'],
      ['GET', '/api/account/recovery-copies'],
      ['POST', '/api/account/recover/code'],
      ['GET', '/api/delegates'],
      ['GET', '/api/portal/audit'],
      ['PUT', '/api/profile'],
    ] as const
    for (const [method, path] of closed) {
      expect(await delegate(method, path)).toMatchObject({
        status: 403,
        body: { error_key: 'auth.client_endpoint_forbidden' },
      })
    }
    await remove(northwind.calls, added.body['id'])
    expect(await delegate('GET', '/api/account')).toMatchObject({
      status: 401,
      body: { error_key: 'auth.token_invalid' },
    })
  })
})

describe('the audit log', () => {
  test('lists for the owner what was done and by whom, newest first, page by page', async () => {
    const { body } = await harborline.calls('GET', '/api/portal/audit')
    expect(body).toMatchObject({ items: expect.any(Array) })
    const before = Number(body['total'])
    const add = { share_code: mara.shareCode, role: 'operator', services: [] }
    const made = await harborline.calls('POST', '/api/delegates', { body: add })
    await remove(harborline.calls, made.body['id'])
    const first = await harborline.calls('GET', '/api/portal/audit?limit=1')
    expect(first.body).toMatchObject({
      total: before + 2,
      items: [{ action: 'delegates.delete', actor_id: harborline.companyId, ref: made.body['id'] }],
    })
    const next = `/api/portal/audit?limit=1&cursor=${String(first.body['next_cursor'])}`
    expect((await harborline.calls('GET', next)).body).toMatchObject({ items: [{ action: 'delegates.create' }] })
    for (const query of ['cursor=no', 'limit=0', 'offset=10001']) {
      expect(await harborline.calls('GET', `/api/portal/audit?${query}`)).toMatchObject({
        status: 400,
        body: { error_key: 'request.invalid' },
      })
    }
    expect(await mara.calls('GET', '/api/portal/audit')).toMatchObject({ status: 403 })
    expect(await world.anonymous('GET', '/api/portal/audit')).toMatchObject({ status: 401 })
  })
})

async function addMara(): Promise<unknown> {
  const body = { share_code: mara.shareCode, role: 'operator', services: [northwind.serviceId] }
  const added = await northwind.calls('POST', '/api/delegates', { body })
  expect(added.status).toBe(201)
  return added.body['id']
}

async function remove(calls: Calls, id: unknown): Promise<void> {
  expect(await calls('DELETE', `/api/delegates/${String(id)}`)).toMatchObject({ status: 204, text: '' })
}

/** Calls in the portal of another company, from the user's own session. */
async function actFor(cookies: readonly string[], companyId: string): Promise<Calls> {
  const acting = await refreshWith(world.frontDoor.url, cookies, 'company', { acting_for: companyId })
  expect(acting.status).toBe(200)
  return callsWith(String(acting.body['api_url']), acting.token)
}
