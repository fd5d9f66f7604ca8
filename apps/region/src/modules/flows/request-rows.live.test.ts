import { bodyOf, flowAuthor, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { intake } from './testing/definitions.ts'

const world = await openWorld()
const OWN = '/api/company-data/request-fields'

interface Row {
  readonly slug: string
  readonly flow_id?: string
  readonly [member: string]: unknown
}

test('fields of published flows that customers answer follow the request fields, read-only', async () => {
  const service = await world.service([{ slug: 'name' }])
  const author = flowAuthor(service)
  const before = await bodyOf(service.data('GET', OWN))
  expect(before['request_fields']).toHaveLength(1)
  await author.create(intake())
  expect(await bodyOf(service.data('GET', OWN))).toEqual(before)
  const flow = await author.published(intake(), 'Rental')
  const { flowId } = flow
  const read = async () => bodyOf(service.data('GET', OWN))
  const rows = (await read())['request_fields'] as Row[]
  expect(rows.map(({ slug }) => slug)).toEqual(['name', 'nick', 'note', 'proof', 'reference'])
  expect(rows[1]).toEqual({
    id: expect.any(String),
    slug: 'nick',
    label: 'nick',
    type: 'text',
    one_time: true,
    mandatory: true,
    mandatory_provide: true,
    mandatory_connected: false,
    verified: false,
    verified_max_age_days: null,
    plugin: null,
    flow_id: flowId,
    flow_name: 'Rental',
    flow_version: 1,
  })
  expect(rows[2]).toMatchObject({ slug: 'note', mandatory: false })
  expect(Object.keys(rows[0] ?? {})).not.toContain('flow_id')
  expect((await read())['config_token']).toBe(before['config_token'])

  // The company also sees whom they ask; sending them back changes nothing.
  const portal = await bodyOf(service.portal('GET', `${service.path}/request-fields`))
  const audiences = (portal['request_fields'] as Row[]).map(({ slug, audience }) => [slug, audience])
  expect(audiences.slice(1)).toEqual([
    ['nick', 'person'],
    ['note', 'person'],
    ['proof', 'person'],
    ['reference', 'company'],
  ])
  const body = { config_token: before['config_token'], request_fields: rows }
  expect(await bodyOf(service.data('PUT', OWN, { body }))).toEqual(await read())
  const counted = await bodyOf(service.portal('GET', `${service.path}/request-fields?include=value_counts`))
  expect((counted['request_fields'] as Row[]).map((row) => row['value_count'])).toEqual([0, ...Array(4)])

  // The latest version counts, and a deleted flow asks no more.
  const [one, two] = intake().nodes
  const shorter = {
    ...intake(),
    nodes: [one, { ...two, elements: two?.elements.slice(0, 1) }],
    edges: intake().edges.slice(0, 1),
  }
  await author.publish(await author.save(flow, shorter))
  const later = (await read())['request_fields'] as Row[]
  expect(later.slice(1)).toMatchObject([{ id: rows[1]?.['id'], slug: 'nick', flow_version: 2 }])
  await bodyOf(author.call('DELETE', `/${flowId}`), 204)
  expect(await read()).toEqual(before)
})

test('the rows of a flow are shown to its own service only, and no customer is asked for them', async () => {
  const service = await world.service([{ slug: 'name' }])
  const other = await world.service([], { company: service.company })
  await flowAuthor(service).published(intake())
  expect((await bodyOf(other.data('GET', OWN)))['request_fields']).toEqual([])
  const { person, connectionId } = await world.customer(service, [])
  expect(await person.connection(connectionId)).toMatchObject({ pending_consent: ['name'] })
  expect((await service.read(connectionId))?.['pending_consent']).toEqual(['name'])
})
