import type { JsonPointer } from '../definition/pointer.ts'
import { isAbsent, isJsonObject, type JsonObject } from '../definition/reading.ts'

const OUTPUT_KEY = 'document'

interface Modernised {
  readonly definition: JsonObject
  /** The place in the input of a place in the new form. */
  readonly whereWritten: (path: JsonPointer) => JsonPointer
}

/**
 * An older leaf lists `pdfs`. In the current form that is one output with a rule per PDF, in the same order; the older
 * form has no language, so it is that of the party who owns the first such leaf.
 */
export function modernised(written: JsonObject, flowName: string): Modernised {
  const nodes = listOf(written['nodes'])
  const languageParty = firstLeafWithPdfs(nodes, listOf(written['edges']))?.['party']
  return {
    definition: nodes.length === 0 ? written : { ...written, nodes: nodes.map(modern(flowName, languageParty)) },
    whereWritten: (path) => oldPlace(path, nodes),
  }
}

function modern(name: string, languageParty: unknown): (node: unknown) => unknown {
  return (node) => {
    if (!hasPdfs(node)) return node
    const rules = listOf(node['pdfs']).map(ruleFor)
    return { ...node, language_party: languageParty, outputs: [{ output_key: OUTPUT_KEY, name, rules }] }
  }
}

function ruleFor(pdf: unknown): unknown {
  if (!isJsonObject(pdf)) return pdf
  return { asset_key: pdf['asset_key'], condition: pdf['condition'] ?? null, languages: 'all' }
}

function firstLeafWithPdfs(nodes: readonly unknown[], edges: readonly unknown[]): JsonObject | undefined {
  const left = new Set(edges.map((edge) => (isJsonObject(edge) ? edge['from'] : undefined)))
  const withPdfs = nodes.filter(hasPdfs)
  return withPdfs.find((node) => !left.has(node['key'])) ?? withPdfs[0]
}

/** A node with outputs has the current form, whatever else it carries. */
function hasPdfs(node: unknown): node is JsonObject {
  return isJsonObject(node) && isAbsent(node['outputs']) && listOf(node['pdfs']).length > 0
}

function oldPlace(path: JsonPointer, nodes: readonly unknown[]): JsonPointer {
  const [, place = '', rest = ''] = /^\/nodes\/(\d+)\/outputs\/0\/rules(.*)$/s.exec(path) ?? []
  return place !== '' && hasPdfs(nodes[Number(place)]) ? `/nodes/${place}/pdfs${rest}` : path
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
