import { FlowError, isSealpostError, type RunProgress } from '@sealpost/sdk'
import { flowAuthor, openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { all } from '../sharing/parties.ts'
import { pdfWith } from '../sharing/pictures.ts'
import { openFlowParties } from './parties.ts'

const SOON = { timeout: scaled(20_000) }
const PROOF = { bytes: pdfWith('a payslip'), mimeType: 'application/pdf', originalName: 'may.pdf' }

const world = await openWorld()
const parties = await openFlowParties(world)
const { client, key, app, desk, flowId, targets, soon, asPerson, asCompany, mara, service } = parties

/** Waits until the run has arrived in the other region. */
async function arrived(id: string): Promise<void> {
  const read = () => app.flows.get(parties.ofPerson, id).catch(() => null)
  await expect.poll(read, SOON).not.toBeNull()
  await expect.poll(() => desk.flows.get(parties.ofCompany, id).catch(() => null), SOON).not.toBeNull()
}

test('three parties in two regions take their turns, and the answers become values', async () => {
  await all(client.changes.drain())
  const { id } = await client.flows.start(flowId, { targets }, key)
  const states: string[] = []
  const onProgress = (step: RunProgress) => void (step.kind === 'state' && states.push(step.run.status))
  const ending = client.flows.waitForEnd(id, { ...soon, onProgress })
  expect((await all(client.flows.list({ awaiting: 'owner' }))).map((run) => run.id)).toEqual([id])
  expect(client.flows.whoseTurn(await client.flows.get(id))).toMatchObject({ key: 'us', isOwn: true })
  await arrived(id)
  await expect(app.flows.answer(asPerson(id), { nick: { value: 'x' } })).rejects.toMatchObject({
    reason: 'not_your_turn',
  })
  expect(await client.flows.step(id, key, { amount: { value: 250 } })).toMatchObject({
    title: 'Deposit',
    problems: [],
    next: { key: 'tell', party: 'customer' },
  })
  await client.flows.answer(id, { amount: { value: 250 } }, key)

  await app.flows.waitForTurn(asPerson(id), soon)
  expect((await app.flows.list(parties.ofPerson)).map((run) => [run.id, run.status])).toEqual([
    [id, 'awaiting_customer'],
  ])
  expect(await app.flows.step(asPerson(id))).toMatchObject({
    elements: [{ text: 'The deposit is 250, the fee 5.' }, { slug: 'nick' }, { slug: 'note' }],
    constants: [{ label: 'Fee', text: '5' }],
    problems: [{ slug: 'nick', reason: 'missing' }],
    next: { key: 'prove' },
  })
  await app.flows.answer(asPerson(id), { nick: { value: 'Mara', private: true } })
  const proved = await app.flows.answer(asPerson(id), { proof: { value: { file: PROOF } } })
  expect(proved).toMatchObject({ status: 'awaiting_guarantor', private_slugs: ['nick'] })

  await desk.flows.waitForTurn(asCompany(id), soon)
  expect(await desk.flows.step(asCompany(id))).toMatchObject({ next: { kind: 'end' } })
  await desk.flows.answer(asCompany(id), { reference: { value: 'R-7' } })
  const done = await ending
  expect(done.status).toBe('completed')
  expect(states.at(-1)).toBe('completed')
  expect(await client.flows.open(done, key)).toMatchObject({
    amount: { kind: 'number', value: 250, party: 'us', isPrivate: false },
    nick: { kind: 'text', value: 'Mara', party: 'customer', isPrivate: true, problems: [] },
    proof: { kind: 'file', isHeld: true, isLinked: false },
    reference: { value: 'R-7', party: 'guarantor' },
  })

  await app.flows.waitForEnd(asPerson(id), soon)
  const [ofPerson, ofCompany] = [
    await app.flows.get(parties.ofPerson, id),
    await desk.flows.waitForEnd(asCompany(id), soon),
  ]
  const bytes = async (reading: Promise<{ readonly files: readonly { readonly bytes: Uint8Array }[] }>) =>
    Buffer.from((await reading).files[0]?.bytes ?? [])
  const sent = Buffer.from(PROOF.bytes)
  expect(await bytes(client.flows.readFile(done, 'proof', key))).toEqual(sent)
  expect(await bytes(app.flows.readFile(ofPerson, 'proof'))).toEqual(sent)
  expect(await bytes(desk.flows.readFile(ofCompany, 'proof'))).toEqual(sent)
  expect(await app.flows.open(ofPerson)).toMatchObject({ reference: { value: 'R-7' } })

  const connection = await client.connections.get(parties.ofPerson)
  expect(await client.values.decrypt(connection, key)).toMatchObject({
    name: { value: 'Mara', authenticity: 'signed' },
    nick: { value: 'Mara', authenticity: 'unsigned' },
    proof: { kind: 'file' },
  })
  const shared = await client.files.readShared(connection, 'proof', key)
  expect([shared.authenticity, Buffer.from(shared.files[0]?.bytes ?? [])]).toEqual(['unsigned', sent])
  const events = (await all(client.changes.drain())).filter(({ event }) => event.startsWith('flow_'))
  expect(events.map((event) => ('awaiting_party' in event ? event.awaiting_party : event.event))).toEqual([
    'us',
    'customer',
    'guarantor',
    'flow_completed',
  ])
})

test('without a large amount the branch with the file is skipped', async () => {
  const { id } = await client.flows.start(flowId, { targets }, key)
  await client.flows.answer(id, { amount: { value: 50 } }, key)
  await arrived(id)
  await app.flows.waitForTurn(asPerson(id), soon)
  const answered = await app.flows.answer(asPerson(id), { nick: { value: 'M' } })
  expect(answered).toMatchObject({ status: 'awaiting_guarantor', current_node: 'confirm' })
})

test('the copy of the company opens with the key of the service, the others with the published key of their user [SDK-19]', async () => {
  const { id } = await client.flows.start(flowId, { targets }, key)
  const run = await client.flows.answer(id, { amount: { value: 7 } }, key)
  expect(await key.open(run.answers[0]?.value ?? '')).toBe('7')
  const { company } = service
  const codes = { [mara.userId]: mara.shareCode, [parties.bank.userId]: parties.bank.shareCode }
  const published = new Map<string, string>()
  for (const [userId, code] of Object.entries(codes)) published.set(userId, (await client.keys.read(code)).public_key)
  expect([...published]).toEqual([
    [mara.userId, mara.keys.publicKey],
    [parties.bank.userId, parties.bank.keys.publicKey],
  ])
  await arrived(id)
  for (const [who, connectionId, userId] of [
    [app, parties.ofPerson, mara.userId],
    [desk, parties.ofCompany, parties.bank.userId],
  ] as const) {
    await expect.poll(async () => (await who.flows.get(connectionId, id)).answers.length, SOON).toBe(1)
    const theirs = await who.flows.get(connectionId, id)
    expect(theirs.answers[0]?.for_user_id).toBe(userId)
    expect(await who.flows.open(theirs)).toMatchObject({ amount: { value: 7 } })
    expect(theirs.answers[0]?.value).not.toBe(run.answers[0]?.value)
  }
  expect(run.company_user_id).toBe(company.companyId)
})

test('answers that do not fit are refused here, and the run stays', async () => {
  const { id } = await client.flows.start(flowId, { targets }, key)
  const error = await client.flows.answer(id, { amount: { value: 'many' } }, key).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(FlowError)
  expect(error).toMatchObject({ reason: 'answers_invalid', problems: [{ slug: 'amount', reason: 'value_invalid' }] })
  expect(await client.flows.get(id)).toMatchObject({ status: 'awaiting_us', answers: [] })
})

test('each side can cancel, and a wait ends with that', async () => {
  const { id } = await client.flows.start(flowId, { targets }, key)
  await arrived(id)
  const waiting = client.flows.waitForEnd(id, soon)
  await app.flows.cancel(asPerson(id), 'changed my mind')
  expect(await waiting).toMatchObject({
    status: 'cancelled',
    cancelled_by: 'customer',
    cancel_reason: 'changed my mind',
  })
  const again = await client.flows.cancel(id).catch((caught: unknown) => caught)
  expect(isSealpostError(again, 'flows.run_closed')).toBe(true)
  const other = await client.flows.start(flowId, { targets }, key)
  await arrived(other.id)
  const theirs = desk.flows.waitForTurn(asCompany(other.id), soon)
  await client.flows.cancel(other.id)
  expect(await theirs).toMatchObject({ status: 'cancelled', cancelled_by: 'us' })
})

test('an answer from the profile is linked, and later edits of the field are still possible', async () => {
  const field = mara.field('first_name')
  await app.contactData.put(field, 'Mara Lou')
  const { id } = await client.flows.start(flowId, { targets }, key)
  await client.flows.answer(id, { amount: { value: 1 } }, key)
  await arrived(id)
  await app.flows.waitForTurn(asPerson(id), soon)
  await app.flows.answer(asPerson(id), { nick: { from: field } })
  await desk.flows.waitForTurn(asCompany(id), soon)
  await desk.flows.answer(asCompany(id), { reference: { value: 'R-8' } })
  const done = await client.flows.waitForEnd(id, soon)
  expect(await client.flows.open(done, key)).toMatchObject({ nick: { value: 'Mara Lou', isPrivate: true } })
  const stored = await app.contactData.put(field, 'Mara Lea')
  expect(stored.field_id).toBe(field)
})

const contract = {
  entry: 'read',
  output_mode: 'document',
  parties: [
    { key: 'us', label: 'Us', type: 'owner' },
    { key: 'customer', label: 'Customer', type: 'person' },
  ],
  nodes: [
    {
      key: 'read',
      party: 'customer',
      title: 'Letter',
      elements: [{ kind: 'text', body: 'Dear {{customer.name}}' }],
      language_party: 'customer',
      outputs: [
        {
          output_key: 'deed',
          name: 'Deed',
          rules: [
            { source_connection: { party: 'customer', request_slug: 'deed' }, condition: null, languages: 'all' },
          ],
        },
      ],
    },
  ],
  edges: [],
  constants: [],
}

test('values and files that the flow names are sealed into the run at its start', async () => {
  await app.connections.remap(parties.ofPerson, { deed: { value: { file: PROOF } } })
  await expect
    .poll(async () => (await client.connections.get(parties.ofPerson)).values['deed']?.value_url, SOON)
    .toBeDefined()
  const author = flowAuthor(service)
  const { flowId: letterId } = await author.published(contract)
  const run = await client.flows.start(letterId, { target: { connection_id: parties.ofPerson } }, key)
  expect(Object.keys(run.source_files)).toEqual(['conn:customer:deed'])
  await expect.poll(() => app.flows.get(parties.ofPerson, run.id).catch(() => null), SOON).not.toBeNull()
  const step = await app.flows.step(asPerson(run.id))
  expect(step).toMatchObject({ elements: [{ kind: 'text', text: 'Dear Mara' }], next: { kind: 'end' } })
  const theirs = await app.flows.get(parties.ofPerson, run.id)
  const [ours, own] = [
    await client.flows.readSource(run, 'conn:customer:deed', key),
    await app.flows.readSource(theirs, 'conn:customer:deed'),
  ]
  for (const { files } of [ours, own]) expect(Buffer.from(files[0]?.bytes ?? [])).toEqual(Buffer.from(PROOF.bytes))
  expect(await app.flows.answer(asPerson(run.id), {})).toMatchObject({ status: 'generating' })
})
