import { AccountKey, CustomerClient, memoryPins } from '@sealpost/sdk'
import { bodyOf, flowAuthor, listOf, membersOf, openWorld, type Person, sealTo } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import type { OpenAccount, PersonContext } from '../context.ts'
import { exportData } from './export.ts'

const world = await openWorld()
const service = await world.service([])
const { person, connectionId } = await world.customer(service, [])
const DOCUMENTS = '/api/company-data/documents'
const PDF = `data:application/pdf;base64,${Buffer.from('%PDF-1.7 a letter').toString('base64')}`
const ENVELOPE = JSON.stringify({ file: PDF, original_name: 'letter.pdf', mime_type: 'application/pdf', size: 17 })

/** The parts of the app's context that the export reads. */
function contextOf({ apiUrl, token, user }: Person): PersonContext {
  const client = new CustomerClient({
    accessToken: () => Promise.resolve({ apiUrl, token }),
    pins: memoryPins(),
    key: () => AccountKey.fromPkcs8(user.keys.privateKey.reveal()),
  })
  const open: Partial<OpenAccount> = {
    client,
    accountId: user.userId,
    email: user.email,
    displayName: user.displayName,
  }
  // The export reads no other member.
  return { open } as unknown as PersonContext
}

async function exported(): Promise<Record<string, readonly Record<string, unknown>[]>> {
  const whole = membersOf(JSON.parse(await exportData(contextOf(person))))
  return Object.fromEntries(['papers', 'messages', 'forms'].map((name) => [name, listOf(whole[name])]))
}

const base64Of = (uri: string) => uri.slice(uri.indexOf(',') + 1)

test('an export has the contents of papers: JSON, a file, a broadcast', async () => {
  const { publicKey } = person.user.keys
  const make = async (members: object) =>
    String((await bodyOf(service.data('POST', DOCUMENTS, { body: members }), 201))['id'])
  const target = { connection_id: connectionId }
  const value = await sealTo(publicKey, JSON.stringify({ title: 'Terms' }))
  await make({ name: 'Terms', payload_kind: 'json', target, value })
  const file = await make({ name: 'Letter', payload_kind: 'file', target })
  await bodyOf(
    service.data('POST', `${DOCUMENTS}/${file}/file`, { body: { value: await sealTo(publicKey, ENVELOPE) } }),
  )
  await make({ name: 'Notice', payload_kind: 'json', value: { title: 'Notice' } })
  await expect.poll(async () => (await exported())['papers']?.length).toBe(3)
  const { papers = [] } = await exported()
  const named = Object.fromEntries(papers.map((paper) => [String(paper['name']), paper]))
  expect(named['Terms']).toMatchObject({ company: service.company.companyName, content: { title: 'Terms' } })
  expect(named['Notice']).toMatchObject({ content: { title: 'Notice' } })
  expect(named['Letter']).toMatchObject({
    file: { name: 'letter.pdf', mime_type: 'application/pdf', base64: base64Of(PDF) },
  })
})

test('an export has the answers of forms: what was typed, and the files', async () => {
  const field = (slug: string, field_type: string) => ({ kind: 'field', slug, field_type, label: slug, required: true })
  const { flowId } = await flowAuthor(service).published({
    entry: 'tell',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: [
      { key: 'tell', party: 'customer', title: 'You', elements: [field('nick', 'text'), field('proof', 'document')] },
    ],
    edges: [],
    constants: [],
  })
  const target = { connection_id: connectionId }
  const run = await bodyOf(service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body: { target } }), 201)
  const path = `/api/company-connections/${connectionId}/flow-runs/${String(run['id'])}`
  await expect.poll(async () => (await person.calls('GET', path)).status).toBe(200)
  const copies = async (text: string) => [
    { for_user_id: service.company.companyId, value: await service.seal(text) },
    { for_user_id: person.user.userId, value: await sealTo(person.user.keys.publicKey, text) },
  ]
  const files: object[] = []
  for (const copy of await copies(ENVELOPE)) {
    const body = { slug: 'proof', ...copy }
    const { file } = await bodyOf(person.calls('POST', `${path}/answer-files`, { body }), 201)
    files.push({ ...copy, value: JSON.stringify({ _enc_file: file }) })
  }
  const answers = [
    { slug: 'nick', values: await copies('Mara') },
    { slug: 'proof', values: files },
  ]
  await bodyOf(person.calls('POST', `${path}/answers`, { body: { answers, leaf: true } }))
  const { forms = [] } = await exported()
  expect(forms).toMatchObject([{ company: service.company.companyName, state: 'completed' }])
  expect(listOf(forms[0]?.['answers'])).toEqual([
    { question: 'nick', answered_by: 'Customer', text: 'Mara' },
    {
      question: 'proof',
      answered_by: 'Customer',
      file: { name: 'letter.pdf', mime_type: 'application/pdf', base64: base64Of(PDF) },
    },
  ])
})
