import { readArchive, writeArchive } from '@sealpost/archive'
import { bodyOf, flowAuthor, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { dataUri, pdfWith, PNG, upload } from './testing/assets.ts'
import { documentFlow, oneStep } from './testing/definitions.ts'

const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const author = flowAuthor(service)
const other = flowAuthor(await world.service([]))

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const importing = (...entries: readonly { name: string; bytes: Uint8Array }[]) => ({
  file: dataUri('application/zip', Buffer.from(writeArchive(entries))),
})

async function exported(flowId: string): Promise<Buffer> {
  const { apiUrl, token } = company
  const answer = await fetch(`${apiUrl}${author.path}/${flowId}/export`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return Buffer.from(await answer.arrayBuffer())
}

test('an exported flow is imported unchanged by another company, with its files', async () => {
  const flow = await author.create(oneStep(), 'Rental')
  const key = await upload(author, flow.flowId, 'application/pdf', pdfWith('{{full_name}}'))
  await upload(author, flow.flowId, 'image/png', PNG)
  const { draftToken } = await author.save(flow, documentFlow(key))
  const archive = await exported(flow.flowId)
  const made = await bodyOf(other.call('POST', '/import', { file: dataUri('application/zip', archive) }), 201)
  expect(made).toMatchObject({ name: 'Rental', definition: documentFlow(key), published_version: null })
  const members = ({ asset_key, kind, content_sha256, original_name }: Record<string, unknown>) => ({
    asset_key,
    kind,
    content_sha256,
    original_name,
  })
  const assetsOf = async (its: typeof author, id: string) =>
    ((await bodyOf(its.call('GET', `/${id}/assets`)))['items'] as Record<string, unknown>[]).map(members)
  expect(await assetsOf(other, String(made['id']))).toEqual(await assetsOf(author, flow.flowId))
  const again = { flowId: String(made['id']), draftToken: String(made['draft_token']) }
  expect(again.draftToken).toBe(draftToken)
  expect(await other.publish(again)).toEqual({ version: 1, warnings: [] })
  const tags = await bodyOf(other.call('GET', `/${again.flowId}/assets/${key}/tags`))
  expect(tags).toMatchObject({ tags: [{ key: 'full_name', known: true }] })
})

test('an archive holds flow.json and the files that it names', async () => {
  const { flowId } = await author.create(oneStep(), 'Rental')
  const key = await upload(author, flowId, 'image/png', PNG)
  const archive = await readArchive(await exported(flowId))
  const entries = archive.ok ? archive.value : []
  expect(entries.map(({ name }) => name)).toEqual([`assets/${key}.png`, 'flow.json'])
  const flow = JSON.parse(Buffer.from(entries.at(-1)?.bytes ?? []).toString()) as unknown
  const file = {
    asset_key: key,
    kind: 'image',
    file: `assets/${key}.png`,
    mime_type: 'image/png',
    original_name: 'file.png',
  }
  expect(flow).toEqual({ format_version: 1, name: 'Rental', ...oneStep(), assets: [file] })
})

test('the older form is imported: PDFs of a step become one output', async () => {
  const { parties, nodes, ...rest } = oneStep()
  const pdfs = [{ asset_key: 'contract', condition: null, tags: ['full_name'] }]
  const flow = {
    format_version: 1,
    name: 'Old',
    ...rest,
    output_mode: 'document',
    parties: parties.map(({ key, label }) => ({ key, label })),
    nodes: nodes.map((node) => ({ ...node, pdfs })),
    assets: [{ asset_key: 'contract', kind: 'pdf', file: 'assets/contract.pdf' }],
  }
  const body = importing(
    { name: 'flow.json', bytes: json(flow) },
    { name: 'assets/contract.pdf', bytes: pdfWith('{{full_name}}') },
  )
  const made = await bodyOf(author.call('POST', '/import', body), 201)
  const rules = [{ asset_key: 'contract', condition: null, languages: 'all' }]
  expect(made['definition']).toMatchObject({
    nodes: [{ language_party: 'customer', outputs: [{ output_key: 'document', name: 'Old', rules }] }],
  })
  expect(await author.publish({ flowId: String(made['id']), draftToken: String(made['draft_token']) })).toMatchObject({
    warnings: [],
  })
})

test('the same call twice makes one flow', async () => {
  const sent = {
    body: importing({ name: 'flow.json', bytes: json({ format_version: 1, name: 'Once', ...oneStep() }) }),
    key: 'import-once',
  }
  const first = await bodyOf(service.portal('POST', `${author.path}/import`, sent), 201)
  expect(await bodyOf(service.portal('POST', `${author.path}/import`, sent), 201)).toEqual(first)
})

describe('an archive is refused, and nothing is stored, when it', () => {
  const flow = { format_version: 1, name: 'Bad', ...oneStep() }
  const asset = {
    asset_key: 'logo',
    kind: 'image',
    file: 'assets/logo.png',
    mime_type: 'image/png',
    original_name: 'logo.png',
  }
  const flowJson = (value: object) => ({ name: 'flow.json', bytes: json({ ...flow, ...value }) })
  const logo = { name: 'assets/logo.png', bytes: PNG }
  test.each([
    ['is no data URI', { file: 'UEsDBA==' }, 'flows.import_invalid'],
    ['is no archive', { file: 'data:application/zip;base64,AAAA' }, 'flows.import_invalid'],
    ['has no flow.json', importing(logo), 'flows.import_invalid'],
    [
      'has a flow.json that is no JSON',
      importing({ name: 'flow.json', bytes: Buffer.from('{') }),
      'flows.import_invalid',
    ],
    ['has another format', importing(flowJson({ format_version: 2 })), 'flows.import_invalid'],
    ['has a definition of a wrong shape', importing(flowJson({ nodes: 7 })), 'flows.import_invalid'],
    ['has a blank name', importing(flowJson({ name: ' ' })), 'flows.import_invalid'],
    ['has a file that is not named', importing(flowJson({}), logo), 'flows.import_invalid'],
    ['names a file that is missing', importing(flowJson({ assets: [asset] })), 'flows.import_invalid'],
    ['names a file twice', importing(flowJson({ assets: [asset, asset] }), logo), 'flows.import_invalid'],
    [
      'names a file by an invalid key',
      importing(flowJson({ assets: [{ ...asset, asset_key: 'a~b' }] }), logo),
      'flows.import_invalid',
    ],
    [
      'has a file of other bytes',
      importing(flowJson({ assets: [asset] }), { ...logo, bytes: Buffer.from('GIF89a') }),
      'flows.asset_invalid',
    ],
  ] as const)('%s', async (_name, body, key) => {
    const before = await bodyOf(author.call('GET', ''))
    expect(await author.call('POST', '/import', body)).toMatchObject(refused(400, key))
    expect(await bodyOf(author.call('GET', ''))).toMatchObject({ total: before['total'] })
  })
})
