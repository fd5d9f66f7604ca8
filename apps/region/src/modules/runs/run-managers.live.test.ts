import { bodyOf, openWorld, sealTo, serviceBody, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openRuns, RUNS } from './testing/runs.ts'

const world = await openWorld()
const runs = await openRuns(world)
const { service, customer, partner, flowId, targets } = runs
const { path, company } = service
const DEADLINE_MS = 15_000
const MISSING = '019a0000-0000-7000-8000-00000000dead'

type Answering = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

const keyOf = async (answering: Answering) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

test('a manager finds the customers of a service and their keys, and no value [RUN-55] [RUN-56]', async () => {
  const { calls } = await company.accountClient(['service_management'])
  const other = await openRuns(world)
  await other.begun()
  const { items } = await bodyOf(calls('GET', `${path}/connections`))
  const shown = {
    id: customer.connectionId,
    connection_id: customer.connectionId,
    person_id: customer.userId,
    user_id: customer.userId,
    customer_type: 'person',
    share_code: runs.person.shareCode,
    display_name: expect.any(String),
    public_key: customer.publicKey,
  }
  expect(items).toHaveLength(2)
  expect(items).toContainEqual(shown)
  const keys = async (...user_ids: readonly string[]) =>
    (await bodyOf(calls('POST', `${path}/keys/batch`, { body: { user_ids } })))['keys']
  expect(await keys(customer.userId, other.customer.userId)).toEqual({ [customer.userId]: customer.publicKey })

  // A customer of a run is found after the end of the connection, too.
  const gone = await openRuns(world)
  await gone.begun()
  await bodyOf(gone.service.data('DELETE', `/api/company-data/connections/${gone.customer.connectionId}`), 204)
  const theirs = await gone.service.company.accountClient(['service_management'])
  const body = { user_ids: [gone.customer.userId, customer.userId] }
  expect((await bodyOf(theirs.calls('POST', `${gone.service.path}/keys/batch`, { body })))['keys']).toEqual({
    [gone.customer.userId]: gone.customer.publicKey,
  })
  for (const [method, at] of [
    ['GET', `${path}/connections`],
    ['POST', `${path}/keys/batch`],
  ] as const)
    expect(await keyOf(theirs.calls(method, at, method === 'POST' ? { body } : {}))).toEqual([
      404,
      'services.not_found',
    ])
})

test('a manager starts, lists, reads, answers and cancels runs of an own service [AUTH-14] [RUN-50] [RUN-53] [RUN-54] [TURN-25]', async () => {
  const flow = `${path}/flows/${flowId}`
  const published = await bodyOf(service.data('GET', `/api/company-data/flows/${flowId}/published`))
  const client = await company.accountClient(['service_management'])
  for (const calls of [service.portal, client.calls]) {
    expect(await bodyOf(calls('GET', `${flow}/published`))).toEqual(published)
    const run = await bodyOf(calls('POST', `${flow}/runs`, { body: { targets } }), 201)
    const at = `${flow}/runs/${String(run['id'])}`
    expect(await bodyOf(calls('GET', at))).toEqual(run)
    expect((await bodyOf(calls('GET', `${flow}/runs?status=awaiting_us&limit=500`)))['items']).toContainEqual(
      expect.objectContaining({ id: run['id'], status: 'awaiting_us' }),
    )
    const answers = [{ slug: 'amount', values: await runs.copies('3') }]
    const answered = await bodyOf(calls('POST', `${at}/answers`, { body: { answers, next_node: 'tell' } }))
    expect(answered).toMatchObject({ status: 'awaiting_customer', answers: [{ slug: 'amount' }] })
    expect(await bodyOf(calls('GET', at))).toEqual(answered)
    expect(await runs.read(String(run['id']))).toEqual(answered)
    expect(await bodyOf(calls('POST', `${at}/cancel`))).toMatchObject({
      status: 'cancelled',
      cancelled_by: 'us',
      cancel_reason: null,
    })
  }
  const other = await world.service([])
  const stranger = await other.company.accountClient(['service_management'])
  const unmanaged = await company.accountClient(['customer_connections'])
  const foreign = `/api/services/${other.serviceId}/flows/${flowId}/runs`
  for (const at of [`${flow}/published`, `${flow}/runs`, `${flow}/runs/${MISSING}`]) {
    expect(await keyOf(stranger.calls('GET', at))).toEqual([404, 'services.not_found'])
    expect(await keyOf(unmanaged.calls('GET', at))).toEqual([403, 'auth.client_endpoint_forbidden'])
  }
  expect(await keyOf(stranger.calls('POST', `${flow}/runs`, { body: { targets } }))).toEqual([
    404,
    'services.not_found',
  ])
  for (const act of ['answers', 'cancel'])
    for (const [calls, answer] of [
      [stranger.calls, [404, 'services.not_found']],
      [unmanaged.calls, [403, 'auth.client_endpoint_forbidden']],
    ] as const)
      expect(await keyOf(calls('POST', `${flow}/runs/${MISSING}/${act}`, { body: { answers: [] } }))).toEqual(answer)
  expect(await keyOf(client.calls('GET', foreign))).toEqual([404, 'services.not_found'])
  expect(await keyOf(stranger.calls('GET', foreign))).toEqual([404, 'flows.not_found'])
})

/** The sealed text of a file of 1 MB. */
const MOST = Math.floor((1_048_576 * 16) / 9) + 65_536

test('a manager uploads files of the own step as the data client does [TURN-17] [TURN-20] [TURN-26]', async () => {
  const own = await openRuns(world, {
    entry: 'give',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: [
      {
        key: 'give',
        party: 'us',
        title: 'Give',
        elements: [{ kind: 'field', slug: 'paper', field_type: 'document', label: 'Paper', required: true, max_mb: 1 }],
      },
    ],
    edges: [],
    constants: [],
  })
  const target = { connection_id: own.customer.connectionId }
  const { calls } = await own.service.company.accountClient(['service_management'])
  for (const files of ['portal', 'data'] as const) {
    const { id } = await own.begun({ target })
    const at = files === 'data' ? `${RUNS}/${id}` : `${own.service.path}/flows/${own.flowId}/runs/${id}`
    const post = files === 'data' ? own.service.data : calls
    const upload = (body: object) => post('POST', `${at}/answer-files`, { body })
    const values: { for_user_id: string; value: string }[] = []
    const readers = [
      [own.service.company.companyId, own.service.publicKey],
      [own.customer.userId, own.customer.publicKey],
    ] as const
    for (const [for_user_id, key] of readers) {
      const body = { slug: 'paper', for_user_id, value: await sealTo(key, 'a paper') }
      expect(await keyOf(upload({ ...body, slug: 'none' }))).toEqual([400, 'flows.answer_invalid'])
      expect(await keyOf(upload({ ...body, for_user_id: partner.userId }))).toEqual([400, 'flows.answer_party_invalid'])
      const stored = await bodyOf(upload(body), 201)
      expect(stored).toEqual({ file: expect.stringMatching(/^af_[0-9a-f-]{36}$/) })
      values.push({ for_user_id, value: JSON.stringify({ _enc_file: stored['file'] }) })
    }
    const [, last] = readers
    const sized = (length: number) => keyOf(upload({ slug: 'paper', for_user_id: last[0], value: 'x'.repeat(length) }))
    expect(await sized(MOST)).toEqual([400, 'contact_data.encryption_required'])
    expect(await sized(MOST + 1)).toEqual([400, 'flows.answer_file_too_large'])
    const body = { answers: [{ slug: 'paper', values }], leaf: true }
    expect(await bodyOf(post('POST', `${at}/answers`, { body }))).toMatchObject({ status: 'completed' })
    const slot = await own.service.download(`${RUNS}/${id}/slots/paper/file`)
    const { value } = JSON.parse(slot.bytes.toString()) as { value: string }
    expect(await own.service.open(value)).toBe('a paper')
    const read = `/api/company-connections/${own.customer.connectionId}/flow-runs/${id}`
    await waitUntil('it has arrived', DEADLINE_MS, async () => {
      return (await own.customer.calls('GET', read)).body['status'] === 'completed'
    })
  }
})

test('service_management covers everything of own services, and nothing of others [WHITELIST-13]', async () => {
  const { calls } = await company.accountClient(['service_management'])
  const without = await company.accountClient(['customer_connections', 'oauth_apps', 'company_profile_fields'])
  const run = await runs.begun({ targets })
  const paths = [
    '/api/services',
    path,
    `${path}/client`,
    `${path}/connections`,
    `${path}/request-fields`,
    `${path}/share-fields`,
    `${path}/webhooks`,
    `${path}/private-key`,
    `${path}/logs`,
    `${path}/flows/${flowId}/published`,
    `${path}/flows/${flowId}/runs`,
    `${path}/flows/${flowId}/runs/${run.id}`,
    '/api/account/recovery-copies',
  ]
  for (const at of paths) {
    expect([at, (await calls('GET', at)).status]).toEqual([at, 200])
    if (!at.startsWith('/api/account/'))
      expect([at, ...(await keyOf(without.calls('GET', at)))]).toEqual([at, 403, 'auth.client_endpoint_forbidden'])
  }
  const { number_matching: before } = await bodyOf(calls('GET', path))
  const changed = { number_matching: before !== true }
  expect(await bodyOf(calls('PUT', `${path}/number-matching`, { body: changed }))).toMatchObject(changed)
  const stranger = await (await world.company()).accountClient(['service_management'])
  for (const at of paths.filter((one) => one.startsWith(path)))
    expect([at, ...(await keyOf(stranger.calls('GET', at)))]).toEqual([at, 404, 'services.not_found'])
  expect(JSON.stringify(await bodyOf(stranger.calls('GET', '/api/services')))).not.toContain(service.serviceId)

  const made = await bodyOf(calls('POST', '/api/services', { body: await serviceBody() }), 201)
  const own = `/api/services/${String(made['id'])}`
  const { config_token: fields } = await bodyOf(calls('GET', `${own}/request-fields`))
  const { config_token: card } = await bodyOf(calls('GET', `${own}/share-fields`))
  const acts = [
    ['PUT', `${own}/share-code`, { share_code: 'OTHERONE' }, 200],
    ['PUT', `${own}/admin-email`, { admin_email: 'other@company.example' }, 200],
    ['PUT', `${own}/request-fields`, { config_token: fields, request_fields: [] }, 200],
    ['PUT', `${own}/share-fields`, { config_token: card, fields: [] }, 200],
    ['DELETE', `${own}/share-photos`, { photo_id: MISSING }, 204],
    ['POST', `${own}/webhooks`, { url: 'https://hooks.example/in' }, 201],
    ['POST', `${own}/client`, {}, 201],
    ['POST', `${own}/client/regenerate-secret`, undefined, 200],
    ['DELETE', own, undefined, 204],
  ] as const
  for (const [method, at, body] of acts) {
    const sent = body === undefined ? {} : { body }
    expect([at, ...(await keyOf(stranger.calls(method, at, sent)))]).toEqual([at, 404, 'services.not_found'])
    const refusal = [at, 403, 'auth.client_endpoint_forbidden']
    expect([at, ...(await keyOf(without.calls(method, at, sent)))]).toEqual(refusal)
  }
  for (const [method, at, body, status] of acts) {
    const answer = await calls(method, at, body === undefined ? {} : { body })
    expect([at, answer.status, answer.body['error_key']]).toEqual([at, status, undefined])
  }
  const sealed = await sealTo(service.publicKey, 'a passphrase')
  const copy = { body: { kind: 'service_passphrase', ref_id: service.serviceId, sealed } }
  expect((await calls('POST', '/api/account/recovery-copies', copy)).status).toBe(201)
})
