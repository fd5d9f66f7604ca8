import { describe, expect, test } from 'vitest'
import { importFlow } from '../index.ts'

const older = {
  format_version: 1,
  name: 'Lease',
  entry: 'start',
  output_mode: 'document',
  parties: [{ key: 'landlord' }, { key: 'tenant' }],
  nodes: [
    { key: 'start', party: 'landlord', pdfs: [{ asset_key: 'draft' }] },
    {
      key: 'end',
      party: 'tenant',
      pdfs: [{ asset_key: 'red', condition: { field: 'color', op: 'answered' } }, { asset_key: 'any' }],
    },
  ],
  edges: [{ from: 'start', to: 'end' }],
}

const outcomeOf = (members: object) => {
  const result = importFlow({ ...older, ...members })
  return result.ok ? result.value : result.refusal.map(({ path }) => path)
}
const nodesOf = (members: object) => {
  const outcome = outcomeOf(members)
  return 'definition' in outcome ? outcome.definition.nodes : outcome
}

describe('a flow of the older form', () => {
  test('gets one output for the PDFs of a step, in the language of the first leaf that has some', () => {
    const rule = (asset_key: string, condition: unknown = null) => ({ asset_key, condition, languages: 'all' })
    const paper = (...rules: readonly object[]) => [{ output_key: 'document', name: 'Lease', rules }]
    expect(nodesOf({})).toEqual([
      {
        key: 'start',
        party: 'landlord',
        title: '',
        elements: [],
        language_party: 'tenant',
        outputs: paper(rule('draft')),
      },
      {
        key: 'end',
        party: 'tenant',
        title: '',
        elements: [],
        language_party: 'tenant',
        outputs: paper(rule('red', { field: 'color', op: 'answered' }), rule('any')),
      },
    ])
  })

  test('takes the language of the first step with PDFs where every one is left', () => {
    const edges = [
      { from: 'start', to: 'end' },
      { from: 'end', to: 'start' },
    ]
    expect(nodesOf({ edges })).toMatchObject([{ language_party: 'landlord' }, { language_party: 'landlord' }])
  })

  test('leaves steps without PDFs, and those of the current form, as they are', () => {
    const own = [{ output_key: 'own', name: 'Own', rules: [{ asset_key: 'x' }] }]
    const nodes = [
      { key: 'start', party: 'landlord', pdfs: [] },
      { key: 'end', party: 'tenant', outputs: own, pdfs: [{ asset_key: 'y' }] },
    ]
    const [start, end] = nodesOf({ nodes })
    expect(start).toEqual({ key: 'start', party: 'landlord', title: '', elements: [] })
    expect(end).toMatchObject({ outputs: [{ output_key: 'own' }] })
    expect(end).not.toHaveProperty('language_party')
  })

  test('names its problems where they are written', () => {
    const nodes = [{ key: 'start', party: 'landlord', pdfs: [{ asset_key: 'a' }, { asset_key: 7 }, 'b'] }]
    expect(outcomeOf({ nodes })).toEqual(['/nodes/0/pdfs/1/asset_key', '/nodes/0/pdfs/2'])
    const current = [
      { key: 'start', party: 'landlord', outputs: [{ output_key: 'a', name: 'A', rules: [{ asset_key: 7 }] }] },
    ]
    expect(outcomeOf({ nodes: current })).toEqual(['/nodes/0/outputs/0/rules/0/asset_key'])
    expect(outcomeOf({ nodes: [], edges: 'none' })).toEqual(['/edges'])
    expect(outcomeOf({ nodes: 'none' })).toEqual(['/nodes'])
  })
})

describe('an export', () => {
  test('of another version, or without a name, is refused', () => {
    expect(outcomeOf({ format_version: 2 })).toEqual(['/format_version'])
    expect(outcomeOf({ name: undefined })).toContain('/name')
    expect(importFlow(null)).toMatchObject({ ok: false, refusal: [{ path: '/format_version' }] })
  })

  test('lists its assets, which are PDFs unless told', () => {
    expect(outcomeOf({ assets: [{ asset_key: 'a', file: 'a.pdf' }] })).toMatchObject({
      name: 'Lease',
      assets: [{ asset_key: 'a', kind: 'pdf', file: 'a.pdf', mime_type: '', original_name: '' }],
    })
    expect(outcomeOf({ assets: [{ asset_key: 'a' }] })).toEqual(['/assets/0/file'])
  })
})
