import { createHash } from 'node:crypto'
import {
  bodyOf,
  flowAuthor,
  openWorld,
  type Person,
  photoEnvelope,
  refused,
  sealTo,
  waitUntil,
} from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const service = await world.service([{ slug: 'name' }])
const us = service.company.companyId
const DEADLINE_MS = 15_000

const fields = [
  { kind: 'field', slug: 'mail', field_type: 'email', label: 'Mail', required: false, link: 'allowed' },
  { kind: 'field', slug: 'typed', field_type: 'text', label: 'Typed', required: false, link: 'none' },
  { kind: 'field', slug: 'face', field_type: 'photo', label: 'Face', required: false, max_mb: 1 },
  { kind: 'field', slug: 'sure', field_type: 'email', label: 'Sure', required: false, link: 'verified' },
]
const { flowId } = await flowAuthor(service).published({
  entry: 'give',
  output_mode: 'data_only',
  parties: [
    { key: 'us', label: 'Us', type: 'owner' },
    { key: 'customer', label: 'Customer', type: 'person' },
  ],
  nodes: [
    { key: 'give', party: 'customer', title: 'Give', elements: fields },
    { key: 'close', party: 'us', title: 'Close', elements: [] },
  ],
  edges: [{ from: 'give', to: 'close', sort: 0, condition: null }],
  constants: [],
})

/** A person with a run that waits for their answers. */
async function begun() {
  const { person, connectionId } = await world.customer(service, [])
  const target = { connection_id: connectionId }
  const run = await bodyOf(service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body: { target } }), 201)
  const id = String(run['id'])
  const path = pathOf({ connectionId }, id)
  await waitUntil('the run has arrived', DEADLINE_MS, async () => (await person.calls('GET', path)).status === 200)
  await service.drain()
  return { person, connectionId, id, path, link: `/api/company-connections/${connectionId}/flow-links/${flowId}` }
}

type Begun = Awaited<ReturnType<typeof begun>>

async function copies(person: Person, text: string) {
  return [
    { for_user_id: us, value: await service.seal(text) },
    { for_user_id: person.user.userId, value: await sealTo(person.user.keys.publicKey, text) },
  ]
}

const linked = ({ person }: Begun, field: string) => ({ link: { source_field_id: person.field(field) } })
const answer = ({ person, path }: Begun, answers: readonly object[]) =>
  person.calls('POST', `${path}/answers`, { body: { answers, next_node: 'close' } })
const finish = (id: string) =>
  bodyOf(service.data('POST', `${RUNS}/${id}/answers`, { body: { answers: [], leaf: true } }))
const valueOf = async ({ connectionId }: Begun, slug: string) => {
  const { values } = await bodyOf(service.data('GET', `/api/company-data/connections/${connectionId}`))
  return (values as Record<string, Record<string, unknown>>)[slug]
}

/** Uploads the copies of a file answer; `sealed` are their texts. */
async function upload({ person, path }: Begun, envelope: string) {
  const values: { for_user_id: string; value: string }[] = []
  const sealed = await copies(person, envelope)
  for (const { for_user_id, value } of sealed) {
    const body = { slug: 'face', for_user_id, value }
    const { file } = await bodyOf(person.calls('POST', `${path}/answer-files`, { body }), 201)
    values.push({ for_user_id, value: JSON.stringify({ _enc_file: file, _link: 1 }) })
  }
  return { values, sealed: sealed.map(({ value }) => value) }
}

test('a linked answer is frozen in the run and live at the connection, with its verification [RUN-44]', async () => {
  const run = await begun()
  const { person, connectionId, id } = run
  await person.put('email', person.email)
  const verification_id = await person.verifyEmail()
  const mail = await copies(person, person.email)
  const answers = [
    { slug: 'mail', values: mail, ...linked(run, 'email') },
    { slug: 'typed', values: await copies(person, 'x') },
  ]
  await bodyOf(answer(run, answers))
  const given = (await bodyOf(service.data('GET', `${RUNS}/${id}`)))['answers'] as Record<string, unknown>[]
  expect(given[0]).toMatchObject({
    slug: 'mail',
    value: mail[0]?.value,
    verification_id,
    verified_method: 'email_code',
  })
  expect(given[0]).toMatchObject({ verified_hash: expect.any(String), verified_salt: expect.any(String) })
  expect(Object.keys(given[1] ?? {}).toSorted()).toEqual(['for_user_id', 'slug', 'value'])
  expect(JSON.stringify(given)).not.toContain(person.field('email'))
  expect(await valueOf(run, 'mail')).toBeUndefined()

  await finish(id)
  expect(await valueOf(run, 'mail')).toMatchObject({ live: true, flow_id: flowId, verification_id })
  expect(await valueOf(run, 'typed')).toMatchObject({ live: false, flow_id: flowId })
  const share = { service, connectionId, slug: 'mail' }
  expect(await person.put('email', 'new@persons.example')).toMatchObject(
    refused(400, 'contact_data.shares_incomplete', { missing: [{ connection_id: connectionId, slug: 'mail' }] }),
  )
  await service.drain()
  expect(await person.put('email', 'new@persons.example', [share])).toMatchObject({ status: 200 })
  await service.waitForValue(connectionId, 'mail', 'new@persons.example')
  expect(await service.events(1)).toMatchObject([
    { event: 'field_updated', slug: 'mail', live: true, flow_id: flowId, verified_hash: null },
  ])
  const frozen = (await bodyOf(service.data('GET', `${RUNS}/${id}`)))['answers'] as { value: string }[]
  expect(await service.open(frozen[0]?.value)).toBe(person.email)
})

test('an answer from a verified field carries all seven members of the verification, every other answer none [RUN-44]', async () => {
  const run = await begun()
  const { person, id, path } = run
  await person.put('email', person.email)
  const verification_id = await person.verifyEmail()
  const captured = (await upload(run, photoEnvelope())).values.map(({ value, ...copy }) => ({
    ...copy,
    value: value.replace(',"_link":1', ''),
  }))
  const answers = [
    { slug: 'mail', values: await copies(person, person.email), ...linked(run, 'email') },
    { slug: 'typed', values: await copies(person, person.email) },
    { slug: 'face', values: captured },
    // The same text, typed.
    { slug: 'sure', values: await copies(person, person.email) },
  ]
  await bodyOf(answer(run, answers))
  const theirs = await bodyOf(person.calls('GET', path))
  for (const { answers: read } of [await bodyOf(service.data('GET', `${RUNS}/${id}`)), theirs]) {
    const given = read as readonly Readonly<Record<string, unknown>>[]
    const mail = given.find(({ slug }) => slug === 'mail')
    const others = given.filter(({ slug }) => slug !== 'mail')
    const { slug: _slug, for_user_id: _user, value: _value, ...verified } = mail ?? {}
    expect(verified).toEqual({
      verification_id,
      verified_hash: createHash('sha256')
        .update(`${String(verified['verified_salt'])}${person.email}`)
        .digest('hex'),
      verified_salt: expect.any(String),
      verified_at: world.time(),
      verified_expires_at: null,
      verified_method: 'email_code',
      verified_provider: 'platform_email',
    })
    expect(new Set(others.map(({ slug }) => slug))).toEqual(new Set(['typed', 'face', 'sure']))
    for (const other of others) expect(Object.keys(other).toSorted()).toEqual(['for_user_id', 'slug', 'value'])
  }
})

test('an edit between the answer and the end of the run is the value that is shared', async () => {
  const run = await begun()
  const { person, connectionId, id } = run
  await person.put('email', 'a@persons.example')
  await bodyOf(
    answer(run, [{ slug: 'mail', values: await copies(person, 'a@persons.example'), ...linked(run, 'email') }]),
  )
  expect(await person.put('email', 'b@persons.example', [{ service, connectionId, slug: 'mail' }])).toMatchObject({
    status: 200,
  })
  const stored = () =>
    world.rows<{ value: string }>('select value from connections_service.flow_link where connection_id = $1', [
      connectionId,
    ])
  await expect.poll(async () => service.open((await stored())[0]?.value)).toBe('b@persons.example')
  await finish(id)
  expect(await service.value(connectionId, 'mail')).toBe('b@persons.example')
})

test('a customer reads, withdraws and renews a link; the run keeps its answer', async () => {
  const run = await begun()
  const { person, connectionId, id, link } = run
  await person.put('email', 'a@persons.example')
  const item = { slug: 'mail', values: await copies(person, 'a@persons.example'), ...linked(run, 'email') }
  await bodyOf(answer(run, [item]))
  await finish(id)
  const shown = {
    flow_id: flowId,
    slug: 'mail',
    source_field_id: person.field('email'),
    live: true,
    linked_at: world.time(),
  }
  expect(await bodyOf(person.calls('GET', `${link}/mail`))).toEqual(shown)
  await service.drain()
  await bodyOf(person.calls('DELETE', `${link}/mail`), 204)
  const gone = refused(404, 'flows.link_not_found')
  expect(await person.calls('DELETE', `${link}/mail`)).toMatchObject(gone)
  expect(await person.calls('GET', `${link}/mail`)).toMatchObject(gone)
  await service.waitForValue(connectionId, 'mail', null)
  expect(await service.events(1)).toMatchObject([{ event: 'field_deleted', slug: 'mail' }])
  expect((await bodyOf(service.data('GET', `${RUNS}/${id}`)))['answers']).toHaveLength(1)
  expect(await person.put('email', 'c@persons.example')).toMatchObject({ status: 200 })

  const put = (body: object) => person.calls('PUT', `${link}/mail`, { body })
  const source_field_id = person.field('email')
  expect(await put({ source_field_id, value: 'plain' })).toMatchObject(refused(400, 'contact_data.encryption_required'))
  const wrong = { source_field_id: person.field('photo'), value: await service.seal('x') }
  expect(await put(wrong)).toMatchObject(refused(400, 'request.invalid'))
  expect(await bodyOf(put({ source_field_id, value: await service.seal('c@persons.example') }))).toEqual(shown)
  await service.waitForValue(connectionId, 'mail', 'c@persons.example')
  await bodyOf(person.calls('DELETE', `/api/contact-data/${source_field_id}`), 204)
  await service.waitForValue(connectionId, 'mail', null)
  expect(await person.calls('GET', `${link}/mail`)).toMatchObject(gone)
})

test('a linked file: the run keeps the frozen copy, the link follows the field [FILE-04] [TURN-22] [TURN-24] [TURN-35]', async () => {
  const run = await begun()
  const { person, connectionId, id } = run
  const envelope = photoEnvelope()
  await person.put('photo', envelope)
  const { values, sealed } = await upload(run, envelope)
  const bare = values.map(({ for_user_id, value }) => ({ for_user_id, value: value.replace(',"_link":1', '') }))
  const invalid = refused(400, 'flows.answer_invalid')
  expect(await answer(run, [{ slug: 'face', values }])).toMatchObject(invalid)
  expect(await answer(run, [{ slug: 'face', values: bare, ...linked(run, 'photo') }])).toMatchObject(invalid)
  await bodyOf(answer(run, [{ slug: 'face', values, ...linked(run, 'photo') }]))
  await finish(id)
  const slot = `${RUNS}/${id}/slots/face/file`
  const current = `/api/company-data/connections/${connectionId}/flow-links/${flowId}/face/file`
  const read = async (path: string) => {
    const { value, encrypted } = JSON.parse((await service.download(path)).bytes.toString()) as Record<string, unknown>
    return [encrypted, await service.open(value)]
  }
  const given = (await bodyOf(service.data('GET', `${RUNS}/${id}`)))['answers'] as { value: string }[]
  expect(given).toMatchObject([{ value: values[0]?.value }])
  expect(await valueOf(run, 'face')).toMatchObject({ value_url: current, live: true })
  expect(await read(current)).toEqual([true, envelope])

  const changed = photoEnvelope(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(40, 7)]))
  const share = { connection_id: connectionId, slug: 'face', value: await service.seal(changed) }
  const edit = { value: await person.sealToSelf(changed), shares: [share] }
  await bodyOf(person.calls('PUT', `/api/contact-data/${person.field('photo')}`, { body: edit }))
  await expect.poll(() => read(current)).toEqual([true, changed])
  expect(await read(slot)).toEqual([true, envelope])
  const [, theirs] = values.map(({ value }) => JSON.parse(value) as { _enc_file: string })
  const frozen = await person.calls('GET', `${run.path}/answer-files/${theirs?._enc_file}`)
  expect([frozen.status, frozen.text]).toEqual([200, sealed[1]])
  const { bytes } = await service.download(current)
  const content_sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(await valueOf(run, 'face')).toMatchObject({ content_sha256 })

  const stranger = await world.service([])
  expect(await stranger.data('GET', current)).toMatchObject(refused(404, 'company_data.connection_not_found'))
  const none = refused(404, 'company_data.file_not_found')
  expect(await service.data('GET', current.replace('/face/', '/mail/'))).toMatchObject(none)
  expect(await service.data('GET', current.replace(flowId, id))).toMatchObject(none)
})

test('a file that is too large for the run stays a link only [TURN-35]', async () => {
  const run = await begun()
  const { person, connectionId, id } = run
  const large = photoEnvelope(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1_500_000, 7)]))
  await person.put('photo', large, [], { isPrivate: false, isClear: true })
  const own = (await copies(person, large))[0]
  const body = { slug: 'face', ...own }
  expect(await person.calls('POST', `${run.path}/answer-files`, { body })).toMatchObject(
    refused(400, 'flows.answer_file_too_large'),
  )
  const values = [us, person.user.userId].map((for_user_id) => ({ for_user_id, value: '{"_link":1}' }))
  await bodyOf(answer(run, [{ slug: 'face', values, ...linked(run, 'photo') }]))
  expect(await service.data('GET', `${RUNS}/${id}/slots/face/file`)).toMatchObject(
    refused(404, 'company_data.file_not_found'),
  )
  const current = `/api/company-data/connections/${connectionId}/flow-links/${flowId}/face/file`
  await expect.poll(async () => (await service.data('GET', current)).status).toBe(200)
  expect((await service.download(current)).bytes).toHaveLength(1_500_004)
  await finish(id)
  expect(await valueOf(run, 'face')).toMatchObject({ value_url: current, live: true })
})

test('a field that the flow does not take is refused, and nothing is announced', async () => {
  const run = await begun()
  const { person } = run
  await person.put('email', person.email)
  const values = await copies(person, person.email)
  const invalid = refused(400, 'flows.answer_invalid')
  for (const item of [
    { slug: 'mail', values, ...linked(run, 'photo') },
    { slug: 'mail', values, ...linked(run, 'first_name') },
    { slug: 'typed', values, ...linked(run, 'email') },
    { slug: 'sure', values, ...linked(run, 'email') },
    { slug: 'none', values, ...linked(run, 'email') },
  ])
    expect(await answer(run, [item])).toMatchObject(invalid)
  const item = { slug: 'mail', values: values.slice(1), ...linked(run, 'email') }
  expect(await answer(run, [item])).toMatchObject(refused(400, 'flows.answer_party_missing'))
  const sql = 'select 1 from connections_customer.flow_link where account_id = $1'
  expect(await world.rows(sql, [person.user.userId], 'us')).toEqual([])
  await person.verifyEmail()
  await bodyOf(answer(run, [{ slug: 'sure', values, ...linked(run, 'email') }]))
})
