import { existsSync, readFileSync } from 'node:fs'
import { buildRegistry, seedRows } from '@sealpost/field-types'
import { describe, expect, test } from 'vitest'
import { checkForPublish, exportFlow, importFlow, type FlowExport } from '../index.ts'

const published = new URL('../../../../../shared/vectors/', import.meta.url)

interface OlderExport {
  readonly nodes: readonly { key: string; pdfs: readonly { asset_key: string; tags: readonly string[] }[] }[]
}

describe.skipIf(!existsSync(published))('an export of the older form', () => {
  test.each(['flow-info-gathering.json', 'flow-contract.json'])('is read and may be published: %s', (file) => {
    const written: OlderExport = JSON.parse(readFileSync(new URL(file, published), 'utf8'))
    const { definition } = imported(written)
    const tags = written.nodes.flatMap(({ pdfs }) => pdfs.map((pdf) => [pdf.asset_key, pdf.tags] as const))
    const facts = {
      types: buildRegistry(seedRows),
      requestFields: new Map(),
      plugins: new Map(),
      templates: new Map(tags),
    }
    expect(checkForPublish(definition, facts)).toEqual([])
    expect(definition.nodes.map((node) => node.key)).toEqual(written.nodes.map((node) => node.key))
  })

  test('turns the PDFs of a leaf into one output', () => {
    const { definition } = imported(JSON.parse(readFileSync(new URL('flow-contract.json', published), 'utf8')))
    const [, leaf] = definition.nodes
    expect(leaf?.language_party).toBe(leaf?.party)
    expect(leaf?.outputs?.map((output) => output.output_key)).toEqual(['document'])
  })
})

test('an exported flow is imported unchanged', () => {
  const elements = [{ kind: 'field', slug: 'name', field_type: 'text', label: 'Name', required: true }]
  const node = { key: 'start', party: 'us', title: 'Start', elements }
  const flow = imported({
    format_version: 1,
    name: 'Sale',
    entry: 'start',
    output_mode: 'data_only',
    parties: [{ key: 'us', label: 'Us' }],
    nodes: [node],
    assets: [{ asset_key: 'logo', kind: 'image', file: 'assets/logo.png', mime_type: 'image/png', original_name: 'l' }],
  })
  expect(imported(JSON.parse(JSON.stringify(exportFlow(flow))))).toEqual(flow)
})

function imported(written: unknown): FlowExport {
  const result = importFlow(written)
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}
