import { bodyOf, flowAuthor, openWorld, sealTo, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type Bound, intake, openRuns, pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const runs = await openRuns(world)
const { service, customer, flowId, targets } = runs
const us = service.company.companyId
const DEADLINE_MS = 15_000

type Answering = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

const keyOf = async (answering: Answering) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

async function arrived(who: Bound, id: string, status: string) {
  await waitUntil(`${status} has arrived`, DEADLINE_MS, async () => {
    return (await runs.readAs(who, id)).body['status'] === status
  })
  return (await runs.readAs(who, id)).body
}

/** A run whose next step asks the customer for a file. */
async function atProof() {
  const { id } = await runs.begun()
  await bodyOf(runs.answer(id, { amount: '250' }, { next_node: 'tell' }))
  await arrived(customer, id, 'awaiting_customer')
  await bodyOf(runs.answerAs(customer, id, { nick: 'Mara' }, { next_node: 'prove' }))
  return id
}

const ENVELOPE = JSON.stringify({
  file: 'data:text/plain;base64,aGk=',
  original_name: 'hi.txt',
  mime_type: 'text/plain',
  size: 2,
})

/** Uploads the customer's copies; answers what each of them is called. */
async function uploaded(id: string) {
  const values: { for_user_id: string; value: string }[] = []
  for (const { for_user_id, value } of await runs.copies(ENVELOPE)) {
    const body = { slug: 'proof', for_user_id, value }
    const stored = await customer.calls('POST', `${pathOf(customer, id)}/answer-files`, { body })
    expect([stored.status, Object.keys(stored.body)]).toEqual([201, ['file']])
    values.push({ for_user_id, value: JSON.stringify({ _enc_file: stored.body['file'] }) })
  }
  return values
}

test('a file is uploaded once per party and answered by its handle, which each reads with its own key [TURN-17]', async () => {
  const id = await atProof()
  const values = await uploaded(id)
  const post = (given: readonly object[]) =>
    customer.calls('POST', `${pathOf(customer, id)}/answers`, {
      body: { answers: [{ slug: 'proof', values: given }], next_node: 'confirm' },
    })
  const more = values.map((copy) => ({ ...copy, value: copy.value.replace('}', ',"more":1}') }))
  expect(await keyOf(post(more))).toEqual([400, 'contact_data.encryption_required'])
  const run = await bodyOf(post(values))
  expect(run['answers']).toContainEqual({ slug: 'proof', for_user_id: customer.userId, value: values[1]?.value })
  expect(values[1]?.value).toMatch(/^\{"_enc_file":"af_[0-9a-f]{32}"\}$/)
  const slot = await service.download(`${RUNS}/${id}/slots/proof/file`)
  const { encrypted, value } = JSON.parse(slot.bytes.toString()) as { encrypted: boolean; value: string }
  expect([encrypted, await service.open(value)]).toEqual([true, ENVELOPE])
  const { _enc_file: file } = JSON.parse(values[1]?.value ?? '{}') as { _enc_file: string }
  const own = await customer.calls('GET', `${pathOf(customer, id)}/answer-files/${file}`)
  expect([own.status, own.body['_enc']]).toEqual([200, 1])
  const { _enc_file: ours } = JSON.parse(values[0]?.value ?? '{}') as { _enc_file: string }
  expect(await keyOf(customer.calls('GET', `${pathOf(customer, id)}/answer-files/${ours}`))).toEqual([
    404,
    'company_data.file_not_found',
  ])
})

test('an upload needs a file field of the step and a bound party, and its handle only that field', async () => {
  const id = await atProof()
  const post = (body: object) => keyOf(customer.calls('POST', `${pathOf(customer, id)}/answer-files`, { body }))
  const copy = { for_user_id: customer.userId, value: await sealTo(customer.publicKey, ENVELOPE) }
  expect(await post({ ...copy, slug: 'nick' })).toEqual([400, 'flows.answer_invalid'])
  expect(await post({ ...copy, slug: 'none' })).toEqual([400, 'flows.answer_invalid'])
  expect(await post({ ...copy, slug: 'proof', for_user_id: flowId })).toEqual([400, 'flows.answer_party_invalid'])
  const values = await uploaded(id)
  // The company's copy in place of the partner's.
  const swapped = [values[0], values[1], { ...values[2], value: values[0]?.value }]
  const body = { answers: [{ slug: 'proof', values: swapped }], next_node: 'confirm' }
  expect(await keyOf(customer.calls('POST', `${pathOf(customer, id)}/answers`, { body }))).toEqual([
    400,
    'flows.answer_invalid',
  ])
})

test('an upload above the limit of its field answers flows.answer_file_too_large [TURN-20]', async () => {
  const nodes = intake().nodes.map((node) =>
    node.key === 'ask'
      ? {
          ...node,
          elements: [{ kind: 'field', slug: 'scan', field_type: 'document', label: '', required: false, max_mb: 1 }],
        }
      : node,
  )
  const edges = intake().edges.map((edge) => ({ ...edge, condition: null }))
  const { flowId: small } = await flowAuthor(service).published(intake({ nodes, edges }))
  const run = await bodyOf(service.data('POST', `/api/company-data/flows/${small}/runs`, { body: { targets } }), 201)
  const upload = (length: number) =>
    keyOf(
      service.data('POST', `${RUNS}/${String(run['id'])}/answer-files`, {
        body: { slug: 'scan', for_user_id: us, value: 'x'.repeat(length) },
      }),
    )
  const most = Math.floor((1_048_576 * 16) / 9) + 65_536
  expect(await upload(most)).toEqual([400, 'contact_data.encryption_required'])
  expect(await upload(most + 1)).toEqual([400, 'flows.answer_file_too_large'])
})

test('an account client uploads for the owner’s step [TURN-26]', async () => {
  const nodes = intake().nodes.map((node) =>
    node.key === 'ask'
      ? { ...node, elements: [{ kind: 'field', slug: 'scan', field_type: 'document', label: '', required: false }] }
      : node,
  )
  const edges = intake().edges.map((edge) => ({ ...edge, condition: null }))
  const { flowId: own } = await flowAuthor(service).published(intake({ nodes, edges }))
  const { calls } = await service.company.accountClient(['service_management'])
  const path = `/api/services/${service.serviceId}/flows/${own}/runs`
  const id = String((await bodyOf(calls('POST', path, { body: { targets } }), 201))['id'])
  const values: object[] = []
  for (const { for_user_id, value } of await runs.copies(ENVELOPE)) {
    const { file } = await bodyOf(
      calls('POST', `${path}/${id}/answer-files`, { body: { slug: 'scan', for_user_id, value } }),
      201,
    )
    values.push({ for_user_id, value: JSON.stringify({ _enc_file: file }) })
  }
  const answered = { answers: [{ slug: 'scan', values }], next_node: 'tell' }
  expect(await bodyOf(calls('POST', `${path}/${id}/answers`, { body: answered }))).toMatchObject({
    current_node: 'tell',
  })
})
