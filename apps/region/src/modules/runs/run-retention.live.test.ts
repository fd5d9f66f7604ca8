import { bodyOf, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { copiesIn, documentPath, openContracts, ownerPath, pdfIn, readPdf } from './testing/contracts.ts'
import { openFullRuns } from './testing/full-run.ts'
import { openRuns, pathOf } from './testing/runs.ts'
import { signersOf } from './testing/signers.ts'

const DAY_MS = 86_400_000
const DEADLINE_MS = 15_000

const world = await openWorld({ own: true })

async function upkeep(): Promise<void> {
  for (const { run } of world.eu.modules.runs.chores ?? []) await run()
}

/** What a run without its data reads as; nothing else is left in its members. */
const NOTHING = { answers: [], source_files: {}, tag_values: null }

async function expectNoData(id: string): Promise<void> {
  for (const table of ['answer', 'answer_file', 'source_file'])
    expect(await world.rows(`select 1 from flows_service.${table} where run_id = $1`, [id])).toEqual([])
  for (const table of ['answer', 'file'])
    expect(await world.rows(`select 1 from flows_customer.${table} where run_id = $1`, [id], 'us')).toEqual([])
}

test('the data of runs goes 7 days after a move to free, on all sides; an upgrade in time keeps it [RETAIN-02] [RETAIN-04] [RETAIN-06] [RETAIN-07]', async () => {
  const runs = await openFullRuns(world)
  const id = await runs.full()
  const begun = world.time().slice(0, 10)
  await runs.expectData(id)
  const { company } = runs.service
  for (const level of ['pro', 'enterprise'] as const) {
    await company.setLevel('free')
    await company.setLevel(level)
    await world.passDays(8 * DAY_MS)
    await upkeep()
    expect(await runs.readOwn(id)).toMatchObject({ status: 'awaiting_partner', data_deleted_at: null })
    await runs.expectData(id)
  }
  await company.setLevel('free')
  await world.passDays(6 * DAY_MS)
  await upkeep()
  const kept = { status: 'awaiting_partner', data_deleted_at: null, reference_date: begun }
  expect(await runs.readOwn(id)).toMatchObject(kept)
  await runs.expectData(id)
  await world.passDays(2 * DAY_MS)
  await upkeep()
  const after = await runs.readOwn(id)
  expect(after).toMatchObject({ status: 'cancelled', cancelled_by: 'system', data_deleted_at: expect.any(String) })
  expect(after['participants']).toHaveLength(3)
  await expect.poll(() => runs.dataOf(id)).toEqual([NOTHING, NOTHING, NOTHING])
  for (const who of [runs.customer, runs.partner]) await runs.arrived(who, id, 'cancelled')
  await expectNoData(id)
})

test('the company is told by mail when the deletion is scheduled and three days before it', async () => {
  const runs = await openRuns(world)
  const { company } = runs.service
  const mails = () =>
    world.mail.taken.filter(({ to, subject }) => to === company.user.email && subject.includes('contract flows'))
  await company.setLevel('basic')
  await company.setLevel('pro')
  expect(mails()).toHaveLength(0)
  await runs.begun()
  await company.setLevel('basic')
  await expect.poll(() => mails().length).toBe(1)
  expect(mails()[0]?.text).toContain(world.time(30 * DAY_MS))
  await upkeep()
  await company.setLevel('basic')
  await company.setLevel('free')
  await expect.poll(() => mails().length).toBe(2)
  expect(mails()[1]?.text).toContain(world.time(7 * DAY_MS))
  await world.passDays(4 * DAY_MS)
  await upkeep()
  await upkeep()
  await expect.poll(() => mails().length).toBe(3)
  expect(mails()[2]?.text).toContain(world.time(3 * DAY_MS))
})

test('a turn and an upload against the deletion: all sides end without data', async () => {
  const runs = await openRuns(world)
  const { customer, partner, service } = runs
  const ids: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const { id } = await runs.begun()
    await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
    ids.push(id)
  }
  for (const id of ids)
    await waitUntil('it has arrived', DEADLINE_MS, async () => {
      return (await runs.readAs(customer, id)).body['status'] === 'awaiting_customer'
    })
  const [, proving = ''] = ids
  await bodyOf(runs.answerAs(customer, proving, { nick: 'M' }, { next_node: 'prove' }))
  await service.company.setLevel('free')
  await world.passDays(8 * DAY_MS)
  const body = { slug: 'proof', ...(await runs.copies('a file'))[0] }
  const [first, upload, third] = await Promise.all([
    runs.answerAs(customer, ids[0] ?? '', { nick: 'M' }, { next_node: 'confirm' }),
    customer.calls('POST', `${pathOf(customer, proving)}/answer-files`, { body }),
    runs.answerAs(customer, ids[2] ?? '', { nick: 'M' }, { next_node: 'confirm' }),
    upkeep(),
  ])
  expect([200, 409]).toContain(first?.status)
  expect([200, 409]).toContain(third?.status)
  expect([201, 409]).toContain(upload?.status)
  await upkeep()
  const gone = { status: 'cancelled', answers: [], source_files: {}, tag_values: null }
  for (const id of ids) {
    const path = `/api/services/${service.serviceId}/flows/${runs.flowId}/runs/${id}`
    expect(await bodyOf(service.portal('GET', path))).toMatchObject(gone)
    for (const who of [customer, partner])
      await waitUntil('it is gone there', DEADLINE_MS, async () => {
        return (await runs.readAs(who, id)).body['data_deleted_at'] !== null
      })
    expect((await runs.readAs(customer, id)).body).toMatchObject(gone)
  }
  for (const table of ['answer', 'answer_file', 'source_file'])
    expect(await world.rows(`select 1 from flows_service.${table} where run_id = any($1::uuid[])`, [ids])).toEqual([])
  for (const table of ['answer', 'file'])
    expect(
      await world.rows(`select 1 from flows_customer.${table} where run_id = any($1::uuid[])`, [ids], 'us'),
    ).toEqual([])
})

test('without flows in the level the data of earlier runs goes after 30 days [RETAIN-01] [RETAIN-06]', async () => {
  const runs = await openFullRuns(world)
  const id = await runs.full()
  await runs.service.company.setLevel('basic')
  await world.passDays(29 * DAY_MS)
  await upkeep()
  await runs.expectData(id)
  expect(await runs.readOwn(id)).toMatchObject({ status: 'awaiting_partner' })
  await world.passDays(1 * DAY_MS)
  await upkeep()
  expect(await runs.readOwn(id)).toMatchObject({ status: 'cancelled', cancelled_by: 'system' })
  await expect.poll(() => runs.dataOf(id)).toEqual([NOTHING, NOTHING, NOTHING])
  await expectNoData(id)
})

test('the data of runs goes with their service, the runs stay [RETAIN-03] [RETAIN-05] [RETAIN-06] [RETAIN-07]', async () => {
  const runs = await openFullRuns(world)
  const { service } = runs
  const id = await runs.full()
  const before = await runs.readOwn(id)
  await runs.expectData(id)
  await bodyOf(service.portal('DELETE', service.path), 204)
  await expect.poll(async () => (await runs.dataOf(id)).slice(1)).toEqual([NOTHING, NOTHING])
  const records = `/api/portal/services/${service.serviceId}/flow-runs`
  const read = () => bodyOf(service.portal('GET', `${records}/${id}`))
  await expect.poll(read).toMatchObject({ ...NOTHING, data_deleted_at: expect.any(String), status: 'cancelled' })
  await expectNoData(id)
  const { participants, definition, parties } = before
  expect(await read()).toMatchObject({ participants, definition, parties })
  const gone = () => world.rows('select 1 from services.service where id = $1', [service.serviceId])
  await expect.poll(gone).toEqual([])
  expect(await read()).toMatchObject({ ...NOTHING, participants, definition, parties })
  expect(await bodyOf(service.portal('GET', records))).toMatchObject({ total: 1, items: [{ id, status: 'cancelled' }] })
  for (const table of ['flow', 'asset', 'version_asset'])
    expect(await world.rows(`select 1 from flows_service.${table} where service_id = $1`, [service.serviceId])).toEqual(
      [],
    )
})

test('documents, participants and signatures outlive the data of their runs; an open line is cancelled first [RETAIN-05] [RETAIN-07]', async () => {
  const contracts = await openContracts(world)
  const signers = await signersOf(contracts)
  const { service, customer, partner } = contracts
  const [done, open] = [await contracts.signing(), await contracts.signing()]
  await signers.steps(done, 5)
  await signers.steps(open, 2)
  for (const who of [customer, partner]) await contracts.arrived(who, done, 'completed')
  const reads = async (id: string) => {
    const path = `/api/services/${service.serviceId}/flows/${contracts.flowId}/runs/${id}`
    return bodyOf(service.portal('GET', path))
  }
  const [lineBefore, sealed] = [copiesIn(await reads(done)), await readPdf(customer, done, 'contract')]
  await service.company.setLevel('free')
  await world.passDays(8 * DAY_MS)
  await upkeep()
  const gone = { answers: [], source_files: {}, tag_values: null, data_deleted_at: expect.any(String) }
  expect(await reads(done)).toMatchObject({ status: 'completed', ...gone })
  expect(await reads(open)).toMatchObject({ status: 'cancelled', cancelled_by: 'system', ...gone })
  expect(copiesIn(await reads(done))).toEqual(lineBefore)
  const statuses = copiesIn(await reads(open)).map(({ document_status: status }) => status)
  expect(statuses.toSorted()).toEqual(['active', 'active', 'active', 'ended', 'ended', 'ended'])

  const ours = await bodyOf(service.portal('GET', `${ownerPath(service.serviceId, done, 'contract')}/file`))
  expect(pdfIn(await service.open(ours['value'])).equals(sealed)).toBe(true)
  for (const who of [customer, partner])
    for (const id of [done, open])
      await expect.poll(async () => (await contracts.readAs(who, id)).body).toMatchObject(gone)
  expect((await readPdf(partner, done, 'contract')).equals(sealed)).toBe(true)
  const copy = lineBefore.find(
    ({ party_key: party, output_key: output }) => party === 'customer' && output === 'contract',
  )
  const document = await bodyOf(customer.calls('GET', documentPath(customer, copy?.document_id ?? '')))
  expect(document).toMatchObject({
    status: 'active',
    sealed_at: expect.any(String),
    signatures: [{ action: 'signed' }],
  })
  expect(document['run_signatures']).toHaveLength(6)
  await expect
    .poll(async () =>
      copiesIn((await contracts.readAs(customer, open)).body)
        .map((one) => one.document_status)
        .toSorted(),
    )
    .toEqual(statuses.toSorted())
})
