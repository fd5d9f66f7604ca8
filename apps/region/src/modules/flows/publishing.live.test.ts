import { readFileSync } from 'node:fs'
import { findingsOf, flowAuthor, openWorld } from '@sealpost/testkit'
import { type PublishFile, type PublishRow, publishVectors } from '@sealpost/testkit/vectors/flow'
import { describe, expect, test } from 'vitest'

const file: PublishFile & { readonly cases: readonly PublishRow[] } = JSON.parse(
  readFileSync(new URL('../../../../../vectors/publish.json', import.meta.url), 'utf8'),
)
const vectors = publishVectors(file)

const world = await openWorld()
const rows = Object.entries(file.facts.request_fields).map(([slug, field]) => ({ slug, ...field }))
const author = flowAuthor(await world.service(rows))

const namesPlugin = (definition: object) => JSON.stringify(definition).includes('"kind":"plugin"')
const needsMore = (definition: object) => namesPlugin(definition) || namesTemplate(definition)
const namesTemplate = (definition: object) => JSON.stringify(definition).includes('"asset_key"')
const plain = vectors.filter(({ faulty, mended }) => ![faulty, mended].some(needsMore))

async function publish(definition: object) {
  const { flowId, draftToken } = await author.create(definition)
  const { status, body } = await author.call('POST', `/${flowId}/publish`, { draft_token: draftToken })
  return { status, findings: findingsOf(body['issues'] ?? body['warnings']) }
}

describe('every check of publishing refuses over the wire', () => {
  test.each(plain)('$name', async ({ faulty, mended, issues }) => {
    const isRefused = JSON.stringify(issues).includes('"severity":"error"')
    expect(await publish(faulty)).toEqual({ status: isRefused ? 422 : 200, findings: issues })
    expect(await publish(mended)).toEqual({ status: 200, findings: [] })
  })
})
