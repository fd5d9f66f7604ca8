import { readFileSync } from 'node:fs'
import type { PluginFieldType } from '@sealpost/protocol'
import { addPlugin, describedPlugin, findingsOf, flowAuthor, openForwarderBus, openWorld } from '@sealpost/testkit'
import { type PublishedForm, type PublishFile, type PublishRow, publishVectors } from '@sealpost/testkit/vectors/flow'
import { describe, expect, test } from 'vitest'
import { pdfWith, upload } from './testing/assets.ts'

const file: PublishFile & { readonly cases: readonly PublishRow[] } = JSON.parse(
  readFileSync(new URL('../../../../../vectors/publish.json', import.meta.url), 'utf8'),
)
const vectors = publishVectors(file)

const world = await openWorld()
const rows = Object.entries(file.facts.request_fields).map(([slug, field]) => ({ slug, ...field }))
const service = await world.service(rows)
const author = flowAuthor(service)
const forwarder = openForwarderBus(world)
/** The ids of the plugins of the vectors, which name them by words. */
const pluginIds = new Map<string, string>()
for (const [word, { name, field_types: types }] of Object.entries(file.facts.plugins)) {
  const described = () => {
    const field_types = Object.entries(types ?? {}).map(([key, type]) => writable({ key, ...type }))
    return describedPlugin(forwarder, service.company, { name, field_types })
  }
  pluginIds.set(word, types === null ? await addPlugin(service.company) : (await described()).pluginId)
}

/** As a message of the forwarder carries it. */
function writable(type: object): PluginFieldType {
  return JSON.parse(JSON.stringify(type)) as PluginFieldType
}

/** Publishes the definition as a new flow, with its templates in place of their names. */
async function publish({ definition, templates }: PublishedForm) {
  const flow = await author.create()
  let text = JSON.stringify(definition)
  for (const [name, tags] of Object.entries(templates)) {
    if (!text.includes(`"asset_key":"${name}"`)) continue
    const lines = tags.map((tag) => (tag.startsWith('{{') ? tag : `{{${tag}}}`))
    const key = await upload(author, flow.flowId, 'application/pdf', pdfWith('Contract', ...lines))
    text = text.replaceAll(`"asset_key":"${name}"`, `"asset_key":"${key}"`)
  }
  for (const [word, id] of pluginIds) text = text.replaceAll(`"plugin_id":"${word}"`, `"plugin_id":"${id}"`)
  const { flowId, draftToken } = await author.save(flow, JSON.parse(text) as object)
  const { status, body } = await author.call('POST', `/${flowId}/publish`, { draft_token: draftToken })
  return { status, findings: findingsOf(body['issues'] ?? body['warnings']) }
}

describe('each check of publishing refuses over the wire, at its place', () => {
  test.each(vectors)('$name', async ({ faulty, mended, issues }) => {
    const isRefused = JSON.stringify(issues).includes('"severity":"error"')
    expect(await publish(faulty)).toEqual({ status: isRefused ? 422 : 200, findings: issues })
    expect(await publish(mended)).toEqual({ status: 200, findings: [] })
  })
})
