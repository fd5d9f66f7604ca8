import { readFileSync } from 'node:fs'
import { findingsOf, flowAuthor, openWorld } from '@sealpost/testkit'
import { type PublishedForm, type PublishFile, type PublishRow, publishVectors } from '@sealpost/testkit/vectors/flow'
import { describe, expect, test } from 'vitest'
import { pdfWith, upload } from './testing/assets.ts'

const file: PublishFile & { readonly cases: readonly PublishRow[] } = JSON.parse(
  readFileSync(new URL('../../../../../vectors/publish.json', import.meta.url), 'utf8'),
)
const vectors = publishVectors(file)

const world = await openWorld()
const rows = Object.entries(file.facts.request_fields).map(([slug, field]) => ({ slug, ...field }))
const author = flowAuthor(await world.service(rows))

const namesPlugin = ({ definition }: PublishedForm) => JSON.stringify(definition).includes('"kind":"plugin"')
const isOfPlugins = ({ faulty, mended }: (typeof vectors)[number]) => [faulty, mended].some(namesPlugin)

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
  const { flowId, draftToken } = await author.save(flow, JSON.parse(text) as object)
  const { status, body } = await author.call('POST', `/${flowId}/publish`, { draft_token: draftToken })
  return { status, findings: findingsOf(body['issues'] ?? body['warnings']) }
}

describe('each check of publishing refuses over the wire, at its place', () => {
  test.each(vectors.filter((vector) => !isOfPlugins(vector)))('$name', async ({ faulty, mended, issues }) => {
    const isRefused = JSON.stringify(issues).includes('"severity":"error"')
    expect(await publish(faulty)).toEqual({ status: isRefused ? 422 : 200, findings: issues })
    expect(await publish(mended)).toEqual({ status: 200, findings: [] })
  })
})

describe('no company has plugins yet: each one is unknown', () => {
  test.each(vectors.filter(({ faulty }) => namesPlugin(faulty)))('$name', async ({ faulty }) => {
    const { status, findings } = await publish(faulty)
    expect(status).toBe(422)
    expect(findings).toContainEqual({
      error_key: 'flow_plugin.unknown',
      severity: 'error',
      path: expect.stringMatching(/^\/nodes\/\d+\/elements\/\d+\/plugin\/plugin_id$/),
    })
  })
})
