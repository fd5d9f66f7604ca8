import { runStatement } from '@sealpost/postgres'
import { bodyOf, openFileCopy, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import {
  copiesIn,
  copyOf,
  generateAs,
  handOver,
  openContracts,
  pdfIn,
  readPdf,
  sha256,
  textOf,
  underKey,
  VALUES,
} from './testing/contracts.ts'
import { pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const contracts = await openContracts(world)
const owned = await openContracts(world, { last: 'us' })
const { service, customer, partner } = contracts
const [ownCode, otherCode] = [contracts.person.user.shareCode, contracts.other.user.shareCode]

const documentsOf = (body: Record<string, unknown>) => body['documents'] as readonly Record<string, unknown>[]
const objectsOf = (runId: string) =>
  world.rows<{ id: string; status: string }>(
    'select id, status from documents_service.document where run_id = $1 order by id',
    [runId],
    'eu',
  )
const ownerFile = async (id: string, output: string) => service.data('GET', `${RUNS}/${id}/documents/${output}/file`)

describe('generate', () => {
  test('the party of the last step makes one copy per document and participant [EVENT-18] [GEN-02] [GEN-17] [GEN-22] [GEN-23]', async () => {
    const id = await contracts.generating()
    await service.drain()
    const generated = await bodyOf(contracts.generate(id, await handOver(VALUES)))
    const run = await contracts.read(id)
    const inLine = [
      { output_key: 'contract', party_key: 'customer', position: 1 },
      { output_key: 'annex', party_key: 'us', position: 2 },
      { output_key: 'contract', party_key: 'partner', position: 3 },
      { output_key: 'annex', party_key: 'customer', position: 4 },
      { output_key: 'contract', party_key: 'us', position: 5 },
      { output_key: 'annex', party_key: 'partner', position: null },
    ]
    expect(generated).toEqual({
      status: 'awaiting_signature',
      documents: inLine.map((one) => ({ ...one, document_id: expect.any(String) })),
      document_id: copyOf(run, 'partner', 'contract').document_id,
    })
    expect(run).toMatchObject({ status: 'awaiting_signature', current_node: 'end' })
    expect(new Set(copiesIn(run).map(({ document_id }) => document_id)).size).toBe(6)
    const events = (await service.drain()).filter((event) => event['event'] !== 'document_status_changed')
    expect(events.map(({ event }) => event)).toEqual([...inLine.map(() => 'document_created'), 'flow_run_turn'])
    expect(events.at(-1)).toMatchObject({
      flow_run_id: id,
      awaiting_party: 'customer',
      person_user_id: customer.userId,
    })
    const created = new Map(events.slice(0, -1).map((event) => [event['document_id'], event]))
    for (const copy of copiesIn(run)) {
      // Those about the company's own copies name the first customer.
      const [userId, code] = copy.party_key === 'partner' ? [partner.userId, otherCode] : [customer.userId, ownCode]
      expect(created.get(copy.document_id)).toMatchObject({
        name: copy.output_key === 'contract' ? 'Contract' : 'Annex',
        kind: 'agreement',
        payload_kind: 'file',
        person_user_id: userId,
        share_code: code,
        at: world.time(),
      })
    }
    const document = await bodyOf(
      service.data('GET', `/api/company-data/documents/${copyOf(run, 'customer', 'contract').document_id}`),
    )
    expect(document).toMatchObject({
      name: 'Contract',
      kind: 'agreement',
      payload_kind: 'file',
      status: 'ready_to_sign',
      requires_signature: true,
      person_user_id: customer.userId,
      sealed_at: null,
      metadata: { flow_id: contracts.flowId, flow_run_id: id, output_key: 'contract' },
    })
  })

  test('every participant opens the same PDF with the values in it, in the language of the language party [GEN-17] [GEN-24]', async () => {
    const id = await contracts.generating()
    await bodyOf(customer.calls('PUT', '/api/profile', { body: { language: 'de-AT' } }))
    await bodyOf(contracts.generate(id, await handOver(VALUES)))
    await bodyOf(customer.calls('PUT', '/api/profile', { body: { language: 'en' } }))
    const german = await readPdf(customer, id, 'contract')
    expect(await textOf(german)).toMatch(/Vertrag mit Mara\s+Doppelt: 42/)
    expect((await readPdf(partner, id, 'contract')).equals(german)).toBe(true)
    const copies = await Promise.all(
      [customer, partner].map(async (who) => bodyOf(who.calls('GET', `${pathOf(who, id)}/documents/contract/file`))),
    )
    const shape = { encrypted: true, value: expect.any(String) }
    expect(copies).toEqual([shape, shape])
    expect(copies[0]?.['value']).not.toBe(copies[1]?.['value'])
    await expect(openFileCopy(partner.user, String(copies[0]?.['value']))).rejects.toThrow()
    const ours = await bodyOf(ownerFile(id, 'contract'))
    expect(ours).toEqual(shape)
    const envelope = await service.open(ours['value'])
    expect(JSON.parse(envelope)).toMatchObject({ original_name: 'Contract.pdf', mime_type: 'application/pdf' })
    expect(sha256(pdfIn(envelope))).toBe(sha256(german))
    const annex = await textOf(await readPdf(partner, id, 'annex'))
    expect(annex).toMatch(/Annex R-7\s+Unknown: \[ *\]/)
    const second = await contracts.generating()
    await bodyOf(contracts.generate(second, await handOver(VALUES)))
    expect(await textOf(await readPdf(customer, second, 'contract'))).toMatch(/Contract with Mara\s+Twice: 42/)
  })

  test('a second call and callers at once get the same documents [GEN-04]', async () => {
    const id = await owned.generating()
    const path = `/api/services/${owned.service.serviceId}/flows/${owned.flowId}/runs/${id}/generate`
    const calls = [
      owned.generate(id, await handOver(VALUES)),
      owned.service.portal('POST', path, { body: await handOver(VALUES) }),
      owned.generate(id, await handOver(VALUES)),
    ]
    const [first, ...others] = await Promise.all(calls.map((call) => bodyOf(call)))
    for (const other of others) expect(other).toEqual(first)
    expect(await bodyOf(owned.generate(id, await handOver({ ...VALUES, amount: '1' })))).toEqual(first)
    expect(await bodyOf(owned.generate(id, {}))).toEqual(first)
    expect(await objectsOf(id)).toHaveLength(6)
    const created = (await owned.service.drain()).filter(({ event }) => event === 'document_created')
    expect(created).toHaveLength(6)
  })

  test('only the party of the last step generates, and only at that point; a cancel ends it [GEN-01] [GEN-16]', async () => {
    const { id } = await bodyOf(contracts.start(), 201)
    const early = String(id)
    await contracts.arrived(partner, early, 'awaiting_us')
    const body = await handOver(VALUES)
    const refusal = refused(409, 'flows.not_generatable')
    expect(await service.data('POST', `${RUNS}/${early}/generate`, { body })).toMatchObject(refusal)
    expect(await generateAs(partner, early, body)).toMatchObject(refusal)
    const upload = { body: { source_key: 'field:deed', value: 'x' } }
    expect(await service.data('POST', `${RUNS}/${early}/generate/inputs`, upload)).toMatchObject(refusal)
    const ready = await contracts.generating()
    const others = [
      service.data('POST', `${RUNS}/${ready}/generate`, { body }),
      generateAs(customer, ready, body),
      customer.calls('POST', `${pathOf(customer, ready)}/generate/inputs`, upload),
    ]
    for (const other of others) expect(await other).toMatchObject(refused(403, 'flows.not_your_turn'))
    const turn = await contracts.answerAs(partner, ready, { reference: 'R' }, { leaf: true })
    expect(turn).toMatchObject(refused(409, 'flows.run_not_awaiting'))
    expect(await generateAs(partner, ready, {})).toMatchObject(refused(400, 'flows.generation_failed'))
    expect(await contracts.read(ready)).toMatchObject({ status: 'generating' })
    expect(await bodyOf(service.data('POST', `${RUNS}/${ready}/cancel`))).toMatchObject({ status: 'cancelled' })
    expect(await generateAs(partner, ready, body)).toMatchObject(refusal)
    expect(await partner.calls('POST', `${pathOf(partner, ready)}/generate/inputs`, upload)).toMatchObject(refusal)
    expect(await objectsOf(ready)).toEqual([])
    expect(await ownerFile(ready, 'contract')).toMatchObject(refused(404, 'flows.no_document'))
  })

  test('a hand-over that cannot be opened makes nothing, and the run goes on generating [GEN-03]', async () => {
    const id = await owned.generating()
    const good = await handOver(VALUES)
    const { seal, otk } = await underKey()
    const bad = [
      {},
      { otk: 'x', values: good.values },
      { otk: good.otk },
      { ...good, otk: (await underKey()).otk },
      { ...good, values: 'not base64!' },
      { otk, values: await seal('[1]') },
      { otk, values: await seal('no JSON') },
    ]
    for (const body of bad)
      expect(await owned.generate(id, body)).toMatchObject(refused(400, 'flows.generation_failed'))
    expect(await owned.read(id)).toMatchObject({ status: 'generating' })
    expect(await objectsOf(id)).toEqual([])
    expect(await bodyOf(owned.generate(id, good))).toMatchObject({ status: 'awaiting_signature' })
  })

  test('a document without a matching rule is not made; without any, nothing is [GEN-13] [GEN-25]', async () => {
    const id = await owned.generating()
    const generated = await bodyOf(owned.generate(id, await handOver({ ...VALUES, amount: '5' })))
    expect(documentsOf(generated).map(({ output_key }) => output_key)).toEqual(['contract', 'contract', 'contract'])
    expect(generated['document_id']).toBe(copyOf(await owned.read(id), 'us', 'contract').document_id)
    expect(await owned.read(id)).toMatchObject({ document_id: generated['document_id'] })
    expect((await owned.service.data('GET', `${RUNS}/${id}/document/file`)).status).toBe(200)
    expect(await owned.service.data('GET', `${RUNS}/${id}/documents/annex/file`)).toMatchObject(
      refused(404, 'flows.no_document'),
    )
    const never = (templates: { annex: string }) => [
      {
        output_key: 'paper',
        name: 'Paper',
        rules: [
          { asset_key: templates.annex, condition: { field: 'amount', op: 'gt', value: 100 }, languages: 'all' },
          { asset_key: templates.annex, condition: null, languages: ['fr'] },
        ],
      },
    ]
    const picky = await openContracts(world, { last: 'us', outputs: never })
    const stuck = await picky.generating()
    expect(await picky.generate(stuck, await handOver(VALUES))).toMatchObject(refused(400, 'flows.generation_failed'))
    expect(await picky.read(stuck)).toMatchObject({ status: 'generating' })
    const made = await bodyOf(picky.generate(stuck, await handOver({ ...VALUES, amount: '101' })))
    expect(documentsOf(made).map(({ party_key, position }) => [party_key, position])).toEqual([
      ['us', 1],
      ['customer', 2],
      ['partner', 3],
    ])
    const signs = { requires_signature: true, requires_acceptance: false }
    expect(copiesIn(await picky.read(stuck))).toMatchObject([signs, signs, signs])
  })

  test('a rule matches when its condition over a constant and its languages do, and neither alone is enough [GEN-11]', async () => {
    const rules = (templates: { annex: string }) => {
      const over = (value: number) => ({ field: 'twice', op: 'gt', value })
      const rule = (condition: object, languages: 'all' | readonly string[]) => [
        { asset_key: templates.annex, condition, languages },
      ]
      return [
        { output_key: 'any', name: 'Any', rules: rule(over(41), 'all') },
        { output_key: 'listed', name: 'Listed', rules: rule(over(41), ['fr', 'en']) },
        { output_key: 'foreign', name: 'Foreign', rules: rule(over(41), ['fr']) },
        { output_key: 'larger', name: 'Larger', rules: rule(over(42), ['en']) },
      ]
    }
    const ruled = await openContracts(world, { last: 'us', outputs: rules })
    const id = await ruled.generating()
    const low = await handOver({ ...VALUES, amount: '20' })
    expect(await ruled.generate(id, low)).toMatchObject(refused(400, 'flows.generation_failed'))
    const made = documentsOf(await bodyOf(ruled.generate(id, await handOver(VALUES))))
    expect(new Set(made.map(({ output_key }) => output_key))).toEqual(new Set(['any', 'listed']))
  })

  test('a template that cannot be filled makes nothing, and the call may be made again [GEN-14]', async () => {
    const broken = await openContracts(world, { last: 'us' })
    const id = await broken.generating()
    const swap = (of: string, digest: string) =>
      world.eu.platform.database.transaction((tx) =>
        runStatement(tx, 'update flows_service.asset set sha256 = $2 where key = $1', [of, digest]),
      )
    const asset = broken.templates.annex
    const [row] = await world.rows<{ sha256: string }>(
      'select sha256 from flows_service.asset where key = $1',
      [asset],
      'eu',
    )
    await swap(asset, 'ab'.repeat(32))
    expect(await broken.generate(id, await handOver(VALUES))).toMatchObject(refused(400, 'flows.generation_failed'))
    expect(await broken.read(id)).toMatchObject({ status: 'generating' })
    expect(await objectsOf(id)).toEqual([])
    await swap(asset, row?.sha256 ?? '')
    expect(await bodyOf(broken.generate(id, await handOver(VALUES)))).toMatchObject({ status: 'awaiting_signature' })
  })

  test("another service's run and a stranger's answer like missing ones", async () => {
    const id = await owned.generating()
    const body = await handOver(VALUES)
    const stranger = await world.service([])
    const paths = [
      ['POST', `${RUNS}/${id}/generate`, { body }],
      ['POST', `${RUNS}/${id}/generate/inputs`, { body: { source_key: 'x', value: 'x' } }],
      ['GET', `${RUNS}/${id}/documents/contract/file`, {}],
      ['GET', `${RUNS}/${id}/document/file`, {}],
    ] as const
    for (const [method, path, sent] of paths)
      expect(await stranger.data(method, path, sent)).toMatchObject(refused(404, 'flows.run_not_found'))
    const portal = `/api/portal/services/${stranger.serviceId}/flow-runs/${id}/documents/contract/decline`
    expect(await stranger.portal('POST', portal)).toMatchObject(refused(404, 'flows.run_not_found'))
    expect(await objectsOf(id)).toEqual([])
  })
})

test('neither key nor values are stored [GEN-08]', async () => {
  const id = await contracts.generating()
  const secret = 'kept in memory only'
  const body = await handOver({ ...VALUES, nick: secret })
  await bodyOf(contracts.generate(id, body))
  for (const at of ['eu', 'us'] as const) {
    const tables = await world.rows<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_schema like 'flows%' or table_schema like 'documents%' or table_schema in ('bus', 'http')`,
      [],
      at,
    )
    expect(tables.length).toBeGreaterThan(10)
    for (const { name } of tables) {
      const found = await world.rows(
        `select 1 from ${name} t where position($1 in t::text) > 0 or position($2 in t::text) > 0`,
        [secret, body.otk],
        at,
      )
      expect([name, found]).toEqual([name, []])
    }
  }
})
