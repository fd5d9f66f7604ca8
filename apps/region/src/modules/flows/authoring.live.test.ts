import { bodyOf, flowAuthor, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { oneStep } from './testing/definitions.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'
const world = await openWorld()
const company = await world.company()
const service = await world.service([{ slug: 'home', type: 'address' }], { company })
const author = flowAuthor(service)

describe('a draft', () => {
  test('is what its author has written, members that flows do not have left out', async () => {
    const definition = oneStep()
    const made = await bodyOf(
      author.call('POST', '', { name: ' Rental ', definition: { ...definition, zoom: 2 } }),
      201,
    )
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Rental',
      definition,
      draft_token: expect.any(String),
      published_version: null,
      created_at: world.time(),
      updated_at: world.time(),
    })
    expect(await bodyOf(author.call('GET', `/${String(made['id'])}`))).toEqual(made)
  })

  test('begins empty, and the same call twice makes one flow', async () => {
    const sent = { body: { name: 'Empty' }, key: 'flows-once' }
    const made = await bodyOf(service.portal('POST', author.path, sent), 201)
    expect(made['definition']).toMatchObject({ output_mode: 'data_only', nodes: [], parties: [] })
    expect(await bodyOf(service.portal('POST', author.path, sent), 201)).toEqual(made)
  })

  test('may be unfinished: an element of an unknown kind is kept as it was written', async () => {
    const definition = { ...oneStep(), entry: 'nowhere' }
    const film = { kind: 'film', show_if: { field: 'full_name', op: 'answered' } }
    const nodes = definition.nodes.map((node) => ({ ...node, elements: [film] }))
    const { flowId } = await author.create({ ...definition, nodes })
    expect(await bodyOf(author.call('GET', `/${flowId}`))).toMatchObject({
      definition: { nodes: [{ elements: [film] }] },
    })
  })

  test('a definition of a wrong shape is refused with the place of each problem', async () => {
    const definition = { ...oneStep(), entry: 7, edges: [{ from: 'start', to: 'start', sort: 'x' }] }
    expect(await author.call('POST', '', { name: 'x', definition })).toMatchObject({
      status: 400,
      body: {
        error_key: 'request.invalid',
        details: [
          { path: '/definition/entry', message: 'must be a text' },
          { path: '/definition/edges/0/sort', message: 'must be a number' },
        ],
      },
    })
  })

  test('is saved by the author who has read it last; the other one is refused and nothing is lost', async () => {
    const first = await author.create(oneStep())
    const second = await author.save(first, oneStep('Their name'))
    const path = `/${first.flowId}`
    const late = { draft_token: first.draftToken, definition: oneStep('Lost') }
    expect(await author.call('PUT', path, late)).toMatchObject(refused(409, 'flows.draft_conflict'))
    expect(await author.call('POST', `${path}/publish`, { draft_token: first.draftToken })).toMatchObject(
      refused(409, 'flows.draft_conflict'),
    )
    expect(await bodyOf(author.call('GET', path))).toMatchObject({
      draft_token: second.draftToken,
      definition: oneStep('Their name'),
    })
  })

  test('of two authors who save at once, one is refused', async () => {
    const flow = await author.create(oneStep())
    const save = (label: string) =>
      author.call('PUT', `/${flow.flowId}`, { draft_token: flow.draftToken, definition: oneStep(label) })
    const answers = await Promise.all([save('one'), save('two')])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })
})

describe('a version', () => {
  test('is pinned by its number: a later draft and a later version do not change it', async () => {
    const first = await author.create(oneStep('one'))
    expect(await author.publish(first)).toEqual({ version: 1, warnings: [] })
    const second = await author.save(first, oneStep('two'))
    const published = `/api/company-data/flows/${first.flowId}/published`
    expect(await bodyOf(service.data('GET', published))).toMatchObject({ version: 1, definition: oneStep('one') })
    expect(await author.publish(second)).toMatchObject({ version: 2 })
    expect(await bodyOf(service.data('GET', published))).toMatchObject({ version: 2, definition: oneStep('two') })
    const versions = await bodyOf(author.call('GET', `/${first.flowId}/versions`))
    const by = { name: 'A flow', published_at: world.time(), published_by: company.userId }
    expect(versions).toMatchObject({
      total: 2,
      items: [
        { version: 1, ...by },
        { version: 2, ...by },
      ],
    })
    const rows = await world.rows<{ definition: string }>(
      'select definition from flows_service.version where flow_id = $1 and version = 1',
      [first.flowId],
      'eu',
    )
    expect(rows.map(({ definition }) => JSON.parse(definition) as unknown)).toEqual([oneStep('one')])
  })

  test('publishing the same draft again answers the version that it is', async () => {
    const flow = await author.create(oneStep())
    expect(await author.publish(flow)).toMatchObject({ version: 1 })
    expect(await author.publish(flow)).toMatchObject({ version: 1 })
    const renamed = await bodyOf(
      author.call('PUT', `/${flow.flowId}`, { draft_token: flow.draftToken, name: 'Other', definition: oneStep() }),
    )
    const body = { draft_token: renamed['draft_token'] }
    expect(await bodyOf(author.call('POST', `/${flow.flowId}/publish`, body))).toMatchObject({ version: 2 })
  })

  test('versions are listed in pages', async () => {
    const first = await author.published(oneStep('0'))
    let flow = first
    for (const label of ['1', '2']) {
      flow = await author.save(flow, oneStep(label))
      await author.publish(flow)
    }
    const path = `/${flow.flowId}/versions?limit=2`
    const page = await bodyOf(author.call('GET', path))
    expect(page['items']).toMatchObject([{ version: 1 }, { version: 2 }])
    const next = await bodyOf(author.call('GET', `${path}&cursor=${String(page['next_cursor'])}`))
    expect(next).toMatchObject({ items: [{ version: 3 }], next_cursor: null })
    expect(await author.call('GET', `${path}&cursor=flow-versions~x`)).toMatchObject(refused(400, 'request.invalid'))
  })

  test('with errors is none; with warnings only it is one [PUB-01]', async () => {
    const unused = { key: 'late', label: '', result_type: 'date', expr: { type: 'today' }, shown_on: [] }
    const flow = await author.create({ ...oneStep(), constants: [unused] })
    const faulty = await author.save(flow, { ...oneStep(), constants: [unused], entry: 'nowhere' })
    const answer = await author.call('POST', `/${flow.flowId}/publish`, { draft_token: faulty.draftToken })
    const warning = { error_key: 'constant.unused', severity: 'warning', path: '/constants/0' }
    expect(answer).toMatchObject(refused(422, 'flows.publish_invalid'))
    expect(answer.body['issues']).toMatchObject([warning, { error_key: 'flow.entry_invalid', path: '/entry' }])
    expect(await service.data('GET', `/api/company-data/flows/${flow.flowId}/published`)).toMatchObject(
      refused(409, 'flows.not_published'),
    )
    const mended = await author.save(faulty, { ...oneStep(), constants: [unused] })
    expect(await author.validate(mended)).toEqual([warning])
    expect(await author.publish(mended)).toEqual({ version: 1, warnings: [warning] })
  })
})

describe('the published version', () => {
  test('comes with the types of the request fields, for the service and for its company [RUN-01] [RUN-02] [RUN-53]', async () => {
    const { flowId } = await author.published(oneStep())
    const expected = { version: 1, definition: oneStep(), request_field_types: { home: 'address' } }
    expect(await bodyOf(service.data('GET', `/api/company-data/flows/${flowId}/published`))).toEqual(expected)
    const client = await company.accountClient(['service_management'])
    expect(await bodyOf(client.calls('GET', `${service.path}/flows/${flowId}/published`))).toEqual(expected)
    const strange = await world.service([])
    expect(await client.calls('GET', `${strange.path}/flows/${flowId}/published`)).toMatchObject(
      refused(404, 'services.not_found'),
    )
  })

  test('of an unknown flow, another service or a deleted flow is not found [RUN-03] [RUN-04]', async () => {
    const { flowId } = await author.published(oneStep())
    const sister = await world.service([], { company })
    const stranger = await world.service([])
    const at = (id: string) => `/api/company-data/flows/${id}/published`
    const missing = refused(404, 'flows.not_found')
    expect(await service.data('GET', at(MISSING))).toMatchObject(missing)
    expect(await service.data('GET', at('no-id'))).toMatchObject(missing)
    expect(await sister.data('GET', at(flowId))).toMatchObject(missing)
    expect(await stranger.data('GET', at(flowId))).toMatchObject(missing)
    expect(await service.portal('GET', `${sister.path}/flows/${flowId}/published`)).toMatchObject(missing)
    await bodyOf(author.call('DELETE', `/${flowId}`), 204)
    expect(await service.data('GET', at(flowId))).toMatchObject(missing)
    const draft = await author.create(oneStep())
    expect(await service.data('GET', at(draft.flowId))).toMatchObject(refused(409, 'flows.not_published'))
    const stage = (id: string) =>
      service.data('POST', `/api/company-data/flows/${id}/run-files`, { body: { source_user_id: MISSING, value: 'x' } })
    expect(await stage(MISSING)).toMatchObject(missing)
    expect(await stage(draft.flowId)).toMatchObject(refused(409, 'flows.not_published'))
  })
})

describe('deleting', () => {
  test('a draft that was never published leaves nothing; versions stay for their runs', async () => {
    const draft = await author.create(oneStep())
    const flow = await author.published(oneStep())
    for (const { flowId } of [draft, flow]) {
      await bodyOf(author.call('DELETE', `/${flowId}`), 204)
      expect(await author.call('DELETE', `/${flowId}`)).toMatchObject(refused(404, 'flows.not_found'))
      expect(await author.call('GET', `/${flowId}`)).toMatchObject(refused(404, 'flows.not_found'))
    }
    const count = async (table: string, column: string, id: string) =>
      (await world.rows(`select 1 from flows_service.${table} where ${column} = $1`, [id], 'eu')).length
    expect(await count('flow', 'id', draft.flowId)).toBe(0)
    expect(await count('version', 'flow_id', flow.flowId)).toBe(1)
    const listed = await bodyOf(author.call('GET', '?limit=500'))
    expect(JSON.stringify(listed)).not.toContain(flow.flowId)
  })

  test('deleting the service deletes its flows and versions', async () => {
    const doomed = await world.service([], { company })
    const { flowId } = await flowAuthor(doomed).published(oneStep())
    await bodyOf(service.portal('DELETE', doomed.path), 204)
    const sql =
      'select 1 from flows_service.flow where id = $1 union all select 1 from flows_service.version where flow_id = $1'
    await expect.poll(() => world.rows(sql, [flowId], 'eu')).toEqual([])
  })
})

describe('callers', () => {
  test('no client authors or publishes, whatever it holds, and no flow with a cycle is published [FLOW-01]', async () => {
    const { flowId, draftToken } = await author.create(oneStep())
    const capabilities = ['service_management', 'customer_connections', 'company_profile_fields', 'oauth_apps'] as const
    const client = await company.accountClient(capabilities)
    const body = { draft_token: draftToken, name: 'x', definition: oneStep() }
    const forbidden = refused(403, 'auth.client_endpoint_forbidden')
    for (const calls of [client.calls, service.data]) {
      expect(await calls('POST', author.path, { body })).toMatchObject(forbidden)
      expect(await calls('PUT', `${author.path}/${flowId}`, { body })).toMatchObject(forbidden)
      expect(await calls('POST', `${author.path}/${flowId}/publish`, { body })).toMatchObject(forbidden)
      for (const end of ['', '/publish', '/assets'])
        expect((await calls('POST', `${service.path}/flows/${flowId}${end}`, { body })).status).toBeGreaterThan(399)
    }
    expect(await bodyOf(author.call('GET', `/${flowId}`))).toMatchObject({ published_version: null })
    const back = { from: 'start', to: 'start', sort: 0, condition: { field: 'full_name', op: 'answered' } }
    const cyclic = await author.create({ ...oneStep(), edges: [back] })
    expect(await author.call('POST', `/${cyclic.flowId}/publish`, { draft_token: cyclic.draftToken })).toMatchObject({
      status: 422,
      body: { issues: [{ error_key: 'flow.cycle', severity: 'error' }, {}] },
    })
    expect(await world.anonymous('GET', author.path)).toMatchObject(refused(401, 'auth.token_missing'))
  })

  test('another company, or another service, finds nothing', async () => {
    const { flowId } = await author.create(oneStep())
    const other = await world.service([])
    const sister = flowAuthor(await world.service([], { company }))
    expect(await other.portal('GET', author.path)).toMatchObject(refused(404, 'services.not_found'))
    expect(await other.portal('GET', `${author.path}/${flowId}`)).toMatchObject(refused(404, 'services.not_found'))
    expect(await sister.call('GET', `/${flowId}`)).toMatchObject(refused(404, 'flows.not_found'))
    expect(await sister.call('GET', '')).toMatchObject({ body: { total: 0, items: [] } })
  })

  test('publishing needs the level pro, drafts need none', async () => {
    const basic = await world.company({ level: 'pro' })
    const drafting = flowAuthor(await world.service([], { company: basic }))
    const { flowId } = await drafting.published(oneStep())
    await basic.setLevel('basic')
    const flow = await drafting.create(oneStep('new'))
    expect(await drafting.call('POST', `/${flow.flowId}/publish`, { draft_token: flow.draftToken })).toMatchObject({
      status: 403,
      body: { error_key: 'account.level_required', required_level: 'pro' },
    })
    expect(await drafting.call('GET', `/${flowId}/versions`)).toMatchObject({ body: { total: 1 } })
  })

  test('what was done is in the logs of the company and of the service', async () => {
    const logged = await world.service([], { company })
    const { flowId } = await flowAuthor(logged).published(oneStep(), 'Rental')
    expect((await logged.logs())[0]).toMatchObject({
      message: 'Version 1 of the flow Rental was published',
      metadata: { action: 'flows.publish', actor_id: company.userId, flow_id: flowId, version: 1 },
    })
    const audit = await bodyOf(company.portal('GET', '/api/portal/audit'))
    expect(audit['items']).toContainEqual(expect.objectContaining({ action: 'flows.publish', ref: flowId }))
  })
})
