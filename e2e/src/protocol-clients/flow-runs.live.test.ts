import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { open, seal, sha256 } from './crypto.ts'
import { openFlows, publish, questions, RUNS } from './flows.ts'
import { listOf, membersOf, must, refusalOf } from './http.ts'
import { send } from './raw-request.ts'

const UNKNOWN = '019a0000-0000-7000-8000-00000000dead'
const PROOF = {
  file: 'data:application/pdf;base64,JVBERi0xLjQK',
  original_name: 'proof.pdf',
  mime_type: 'application/pdf',
  size: 9,
}

const world = await openWorld()
const flows = await openFlows(world)
const { data, automation, key, serviceId, us, person, target } = flows
const { post, ownPath, copies, answers, start, read, untilTheirs, drained } = flows
const short = await publish(flows, questions('data_only', {}))

describe('a start', () => {
  test('reads the published version first, and says which one it has read', async () => {
    const published = await send(data, `GET /api/company-data/flows/${short}/published`)
    expect(published).toMatchObject({
      status: 200,
      body: { version: 1, definition: { entry: 'ask' }, request_field_types: { nick: 'text' } },
    })
    expect(refusalOf(await send(data, `GET /api/company-data/flows/${UNKNOWN}/published`))).toEqual([
      404,
      'flows.not_found',
    ])
    const path = `/api/company-data/flows/${short}/runs`
    for (const [members, status, error] of [
      [{ ...target, flow_version: 2 }, 409, 'flows.version_changed'],
      [{ flow_version: 1 }, 400, 'flows.bindings_invalid'],
      [{ target: { connection_id: UNKNOWN } }, 404, 'flows.connection_not_found'],
      [{ targets: { customer: { connection_id: UNKNOWN } } }, 404, 'flows.connection_not_found'],
      [
        { ...target, source_files: [{ source_key: 'field:x', for_user_id: us, file: 'rf_x' }] },
        400,
        'flows.source_files_invalid',
      ],
    ] as const) {
      expect([members, ...refusalOf(await post(path, members))]).toEqual([members, status, error])
    }
    const named = { targets: { customer: { connection_id: person.connectionId } } }
    for (const members of [{ ...target, flow_version: 1 }, named, { ...named, bindings: {}, flow_version: 1 }]) {
      const run = await start(short, members)
      expect(run).toMatchObject({
        flow_id: short,
        flow_version: 1,
        service_id: serviceId,
        connection_id: person.connectionId,
        company_user_id: us,
        bindings: { company: us, customer: person.userId },
        participants: [
          { party_key: 'company', person_user_id: us, connection_id: null, documents: [] },
          { party_key: 'customer', person_user_id: person.userId, connection_id: person.connectionId, documents: [] },
        ],
        status: 'awaiting_company',
        current_node: 'ask',
        output_mode: 'data_only',
        parties: [
          { key: 'company', label: 'Company' },
          { key: 'customer', label: 'Customer' },
        ],
        answers: [],
        definition: { entry: 'ask', output_mode: 'data_only', constants: [] },
        reference_date: world.time().slice(0, 10),
        private_slugs: [],
        owner_tag_values: null,
        tag_values: null,
        source_files: {},
      })
      const listed = await send(data, `GET ${RUNS}?status=awaiting_company&limit=500`)
      const summary = { id: run.id, flow_id: short, status: 'awaiting_company', current_node: 'ask' }
      expect(listOf(listed.body['items'])).toContainEqual(expect.objectContaining(summary))
      expect(await post(`${RUNS}/${run.id}/cancel`, {})).toMatchObject({ status: 200, body: { status: 'cancelled' } })
      expect(refusalOf(await post(`${RUNS}/${run.id}/cancel`, {}))).toEqual([409, 'flows.run_closed'])
    }
  })

  test('stages files for a named customer only', async () => {
    const value = seal(key.members.public_key, JSON.stringify(PROOF))
    const path = `/api/company-data/flows/${short}/run-files`
    for (const members of [{ value }, { value, source_user_id: UNKNOWN }, { value, source_user_id: us }]) {
      expect(refusalOf(await post(path, members))).toEqual([400, 'flows.source_user_invalid'])
    }
    const staged = await post(path, { value, source_user_id: person.userId })
    expect(staged).toMatchObject({ status: 201, body: { file: expect.stringMatching(/^rf_/) } })
  })
})

describe('a turn', () => {
  test('is sealed for each party, as text; anything else changes nothing', async () => {
    const { id } = await start(short, target)
    const path = `${RUNS}/${id}/answers`
    const [own, theirs] = copies('7')
    const amount = (values: unknown, more = {}) => ({
      answers: [{ slug: 'amount', values, ...more }],
      next_node: 'tell',
    })
    const asObjects = copies('7').map((copy) => ({ ...copy, value: JSON.parse(copy.value) as unknown }))
    for (const [members, status, error] of [
      [amount(asObjects), 400, 'contact_data.encryption_required'],
      [amount([{ ...own, value: '7' }, theirs]), 400, 'contact_data.encryption_required'],
      [amount([own]), 400, 'flows.answer_party_missing'],
      [amount([own, theirs, { ...own, for_user_id: UNKNOWN }]), 400, 'flows.answer_party_invalid'],
      [amount([own, theirs], { source_private: 'no' }), 400, 'flows.answer_invalid'],
      [amount([own, theirs], { slug: 'nick' }), 400, 'flows.answer_invalid'],
      [{ ...amount([own, theirs]), next_node: 'end' }, 400, 'flows.next_node_invalid'],
      [{ answers: answers({ amount: '7' }) }, 400, 'flows.next_node_invalid'],
      [{ answers: answers({ amount: '7' }), nextNode: 'tell' }, 400, 'flows.next_node_invalid'],
    ] as const) {
      expect([members, ...refusalOf(await post(path, members))]).toEqual([members, status, error])
    }
    expect(await read(id)).toMatchObject({ status: 'awaiting_company', answers: [] })
    expect(refusalOf(await post(`${RUNS}/${UNKNOWN}/answers`, amount([own, theirs])))).toEqual([
      404,
      'flows.run_not_found',
    ])
    const older = { ...amount([own, theirs], { source_private: true }), next_party: 'customer', links: {} }
    const taken = await post(path, older)
    expect(taken).toMatchObject({ status: 200, body: { status: 'awaiting_customer', private_slugs: ['amount'] } })
    expect(refusalOf(await post(path, older))).toEqual([403, 'flows.not_your_turn'])
    const [answer] = listOf(taken.body['answers'])
    expect([answer?.['slug'], open(key.privateKey, answer?.['value'])]).toEqual(['amount', '7'])
    const asXml = membersOf((await send(data, `GET ${RUNS}/${id}\nAccept: application/xml`)).xml())
    expect(open(key.privateKey, listOf(asXml['answers'])[0]?.['value'])).toBe('7')
    await must(200, post(`${RUNS}/${id}/cancel`, { reason: 'Enough' }))
    expect(refusalOf(await post(path, older))).toEqual([409, 'flows.run_not_awaiting'])
  })

  test('with a file uploads one copy per party; the run ends with values of the connection', async () => {
    const { id } = await start(short, target)
    await drained(id)
    await must(200, post(`${RUNS}/${id}/answers`, { answers: answers({ amount: '101' }), next_node: 'prove' }))
    await untilTheirs(id, 'awaiting_customer')
    const values: object[] = []
    for (const { for_user_id, value } of copies(JSON.stringify(PROOF))) {
      const stored = await post(`${ownPath(id)}/answer-files`, { slug: 'proof', for_user_id, value }, person.access)
      expect(stored).toMatchObject({ status: 201, body: { file: expect.stringMatching(/^af_/) } })
      values.push({ for_user_id, value: JSON.stringify({ _enc_file: stored.body['file'] }) })
    }
    const proof = { answers: [{ slug: 'proof', values }], next_node: 'tell' }
    await must(200, post(`${ownPath(id)}/answers`, proof, person.access))
    await must(
      200,
      post(`${ownPath(id)}/answers`, { answers: answers({ nick: 'Mara' }), next_node: 'end' }, person.access),
    )
    const slot = await send(data, `GET ${RUNS}/${id}/slots/proof/file\nAccept: application/xml`)
    expect([slot.status, slot.body['encrypted'], slot.headers.get('x-platform-content-sha256')]).toEqual([
      200,
      true,
      sha256(slot.bytes),
    ])
    expect(JSON.parse(open(key.privateKey, slot.body['value']))).toEqual(PROOF)
    const pass = await post(`${RUNS}/${id}/plugin-pass`, {})
    expect(pass).toMatchObject({ status: 200, body: { plugins: [], specs: {} } })
    expect(await post(`${RUNS}/${id}/answers`, { answers: [], leaf: true })).toMatchObject({
      status: 200,
      body: { status: 'completed', current_node: 'end' },
    })
    const turn = {
      event: 'flow_run_turn',
      person_user_id: person.userId,
      share_code: person.shareCode,
      flow_run_id: id,
    }
    expect(await drained(id)).toMatchObject([
      { ...turn, awaiting_party: 'customer' },
      { ...turn, awaiting_party: 'company' },
      { ...turn, event: 'flow_completed' },
    ])
    const connection = (await send(data, `GET /api/company-data/connections/${person.connectionId}`)).body
    const shared = membersOf(connection['values'])
    expect(open(key.privateKey, membersOf(shared['nick'])['value'])).toBe('Mara')
    expect(membersOf(shared['proof'])['value_url']).toBe(`${RUNS}/${id}/slots/proof/file`)
  })

  test('is taken by an account client of the owner on the routes of its services, too', async () => {
    const managed = `/api/services/${serviceId}/flows/${short}/runs`
    const made = await post(managed, target, automation)
    expect(made.status).toBe(201)
    const at = `${managed}/${String(made.body['id'])}`
    const taken = await post(`${at}/answers`, { answers: answers({ amount: '7' }), next_node: 'tell' }, automation)
    expect(taken.body).toMatchObject({ status: 'awaiting_customer' })
    expect((await send(automation, `GET ${at}`)).body).toEqual(await read(String(made.body['id'])))
    expect((await post(`${at}/cancel`, {}, automation)).body).toMatchObject({ status: 'cancelled' })
  })
})

test('an installation for clients that send wrappers as objects stores them as text, and nothing else', async () => {
  const older = await openFlows(await openWorld({ settings: { ACCEPT_OBJECT_ANSWERS: 'true' }, withPersonas: false }))
  const { id } = await older.start(await publish(older, questions('data_only', {})), older.target)
  const path = `${RUNS}/${id}/answers`
  const turn = (values: readonly object[]) => ({ answers: [{ slug: 'amount', values }], next_node: 'tell' })
  const [own, theirs] = older.copies('7').map((copy) => ({ ...copy, value: JSON.parse(copy.value) as object }))
  for (const value of [{}, { ...own?.value, more: 1 }, { _enc: 1 }, ['x'], 7]) {
    const refused = await older.post(path, turn([{ ...own, value }, { ...theirs }]))
    expect([value, ...refusalOf(refused)]).toEqual([value, 400, 'contact_data.encryption_required'])
  }
  const { body } = await older.post(path, turn([{ ...own }, { ...theirs }]))
  expect(body).toMatchObject({ status: 'awaiting_customer' })
  expect(open(older.key.privateKey, listOf(body['answers'])[0]?.['value'])).toBe('7')
})
