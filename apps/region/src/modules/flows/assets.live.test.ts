import { bodyOf, flowAuthor, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { dataUri, pdfWith, PNG, upload } from './testing/assets.ts'
import { documentFlow, oneStep } from './testing/definitions.ts'

const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const author = flowAuthor(service)

const objectsOf = (flowId: string) =>
  world.rows<{ key: string }>('select object_key as key from flows_service.asset where flow_id = $1', [flowId], 'eu')
const isGarbage = async (key: string) =>
  (await world.rows('select 1 from vault.garbage where object_key = $1', [key], 'eu')).length > 0

describe('an uploaded file', () => {
  test('gets a key, is listed and is deleted with its object', async () => {
    const { flowId } = await author.create(oneStep())
    const body = { file: dataUri('image/png', PNG), original_name: 'Logo.PNG' }
    const made = await bodyOf(author.call('POST', `/${flowId}/assets`, body), 201)
    expect(made).toMatchObject({
      asset_key: expect.stringMatching(/^[a-z][a-z0-9]*$/),
      kind: 'image',
      mime_type: 'image/png',
      original_name: 'Logo.PNG',
      size: PNG.length,
      created_at: world.time(),
    })
    expect(await bodyOf(author.call('GET', `/${flowId}/assets`))).toEqual({
      total: 1,
      items: [made],
      next_cursor: null,
    })
    const [stored] = await objectsOf(flowId)
    expect(await isGarbage(stored?.key ?? '')).toBe(false)
    const path = `/${flowId}/assets/${String(made['asset_key'])}`
    await bodyOf(author.call('DELETE', path), 204)
    expect(await author.call('DELETE', path)).toMatchObject(refused(404, 'flows.asset_not_found'))
    expect(await isGarbage(stored?.key ?? '')).toBe(true)
  })

  test('the same call twice stores one file', async () => {
    const { flowId } = await author.create(oneStep())
    const sent = { body: { file: dataUri('image/png', PNG), original_name: 'a.png' }, key: 'asset-once' }
    const path = `${author.path}/${flowId}/assets`
    const first = await bodyOf(service.portal('POST', path, sent), 201)
    expect(await bodyOf(service.portal('POST', path, sent), 201)).toEqual(first)
    expect(await bodyOf(author.call('GET', `/${flowId}/assets`))).toMatchObject({ total: 1 })
  })

  const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')
  test.each([
    ['nothing', {}, 'request.invalid'],
    ['no data URI', { file: 'JVBERi0=', original_name: 'a.pdf' }, 'flows.asset_invalid'],
    ['a number', { file: 7, original_name: 'a.pdf' }, 'flows.asset_invalid'],
    ['an empty file', { file: 'data:image/png;base64,', original_name: 'a.png' }, 'flows.asset_invalid'],
    ['another name', { file: dataUri('image/png', PNG), original_name: 'a.exe' }, 'flows.asset_invalid'],
    ['a name without an ending', { file: dataUri('image/png', PNG), original_name: 'png' }, 'flows.asset_invalid'],
    ['another type', { file: dataUri('text/html', PNG), original_name: 'a.png' }, 'flows.asset_invalid'],
    ['other bytes', { file: dataUri('image/png', jpeg), original_name: 'a.png' }, 'flows.asset_invalid'],
    [
      'a large picture',
      { file: dataUri('image/png', Buffer.concat([PNG, Buffer.alloc(5 * 1_048_576)])), original_name: 'a.png' },
      'documents.too_large',
    ],
  ] as const)('that is %s is refused', async (_name, body, key) => {
    const { flowId } = await author.create(oneStep())
    expect(await author.call('POST', `/${flowId}/assets`, body)).toMatchObject(refused(400, key))
    expect(await objectsOf(flowId)).toEqual([])
  })

  test('a flow holds 40 MB: what it exports can be imported', async () => {
    const { flowId } = await author.create(oneStep())
    const large = Buffer.concat([PNG, Buffer.alloc(5 * 1_048_576 - PNG.length)])
    for (let file = 0; file < 8; file += 1) await upload(author, flowId, 'image/png', large)
    const body = { file: dataUri('image/png', PNG), original_name: 'a.png' }
    expect(await author.call('POST', `/${flowId}/assets`, body)).toMatchObject(refused(409, 'flows.asset_limit'))
  })

  test('of another flow, service or company is not found', async () => {
    const { flowId } = await author.create(oneStep())
    const other = await author.create(oneStep())
    const key = await upload(author, flowId, 'image/png', PNG)
    expect(await author.call('DELETE', `/${other.flowId}/assets/${key}`)).toMatchObject(
      refused(404, 'flows.asset_not_found'),
    )
    const sister = flowAuthor(await world.service([], { company }))
    expect(await sister.call('DELETE', `/${flowId}/assets/${key}`)).toMatchObject(refused(404, 'flows.not_found'))
    expect(await sister.call('GET', `/${flowId}/assets`)).toMatchObject(refused(404, 'flows.not_found'))
  })
})

describe('a template that a version names', () => {
  test('stays for its runs when it is deleted; the draft no longer has it', async () => {
    const flow = await author.create(oneStep())
    const key = await upload(author, flow.flowId)
    const saved = await author.save(flow, documentFlow(key))
    await author.publish(saved)
    await bodyOf(author.call('DELETE', `/${flow.flowId}/assets/${key}`), 204)
    expect(await bodyOf(author.call('GET', `/${flow.flowId}/assets`))).toMatchObject({ total: 0 })
    const [stored] = await objectsOf(flow.flowId)
    expect(await isGarbage(stored?.key ?? '')).toBe(false)
    expect(await author.validate(saved)).toMatchObject([{ error_key: 'pdf.asset_missing' }])
  })

  test('of another flow is missing: a rule names a file that was uploaded for its flow', async () => {
    const { flowId } = await author.create(oneStep())
    const key = await upload(author, flowId)
    const other = await author.create(documentFlow(key))
    expect(await author.validate(other)).toEqual([
      { error_key: 'pdf.asset_missing', severity: 'error', path: '/nodes/0/outputs/0/rules/0/asset_key' },
    ])
  })
})

test('the objects of a flow go with it, and those of a service with the service', async () => {
  const doomed = await world.service([], { company })
  const its = flowAuthor(doomed)
  const [draft, kept] = [await its.create(oneStep()), await its.create(oneStep())]
  for (const { flowId } of [draft, kept]) await upload(its, flowId)
  const [first] = await objectsOf(draft.flowId)
  const [second] = await objectsOf(kept.flowId)
  await bodyOf(its.call('DELETE', `/${draft.flowId}`), 204)
  expect(await isGarbage(first?.key ?? '')).toBe(true)
  await bodyOf(service.portal('DELETE', doomed.path), 204)
  await expect.poll(() => isGarbage(second?.key ?? '')).toBe(true)
  expect(await objectsOf(kept.flowId)).toEqual([])
})

describe('the tags of a template', () => {
  const tagsOf = async (flowId: string, key: string) => bodyOf(author.call('GET', `/${flowId}/assets/${key}/tags`))

  test('are found with their place; the author learns which the draft does not have', async () => {
    const { flowId } = await author.create(oneStep())
    const pdf = pdfWith('Between us and {{full_name}}', 'of {{town}}', 'lost {{braces')
    const key = await upload(author, flowId, 'application/pdf', pdf)
    const found = await tagsOf(flowId, key)
    expect(found).toMatchObject({
      asset_key: key,
      pages: 1,
      tags: [
        { key: 'full_name', known: true, source: 'text', page: 1, font_size: 12 },
        { key: 'town', known: false, source: 'text', page: 1 },
      ],
      unknown: ['town'],
      leftovers: [{ page: 1 }],
      unreadable: [],
      truncated: false,
    })
  })

  test('that name nothing are a warning of publishing, and the flow is published', async () => {
    const flow = await author.create(oneStep())
    const key = await upload(author, flow.flowId, 'application/pdf', pdfWith('{{full_name}} of {{town}}'))
    const saved = await author.save(flow, documentFlow(key))
    const path = '/nodes/0/outputs/0/rules/0/asset_key'
    expect(await author.publish(saved)).toEqual({
      version: 1,
      warnings: [{ error_key: 'pdf.unknown_tag', severity: 'warning', path }],
    })
  })

  test('a picture, an unknown key and a deleted template have none', async () => {
    const { flowId } = await author.create(oneStep())
    const [picture, template] = [await upload(author, flowId, 'image/png', PNG), await upload(author, flowId)]
    await bodyOf(author.call('DELETE', `/${flowId}/assets/${template}`), 204)
    for (const key of [picture, template, 'unknown']) {
      expect(await author.call('GET', `/${flowId}/assets/${key}/tags`)).toMatchObject(
        refused(404, 'flows.asset_not_found'),
      )
    }
  })

  test('a PDF that could never be filled is refused with the reason', async () => {
    const { flowId } = await author.create(oneStep())
    const body = { file: dataUri('application/pdf', Buffer.from('%PDF-1.7 and nothing')), original_name: 'a.pdf' }
    const answer = await author.call('POST', `/${flowId}/assets`, body)
    expect(answer).toMatchObject(refused(400, 'flows.asset_invalid'))
    expect(answer.body['error']).toContain('damaged')
  })
})
