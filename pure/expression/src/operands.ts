import { isRawObject, rawList, type RawObject } from './raw.ts'

/** The expressions directly inside one, in the order they are written. */
export function operands(node: RawObject): readonly unknown[] {
  switch (node['type']) {
    case 'if':
      return [...branches(node).map((branch) => branch['then']), node['else']]
    case 'concat':
      return rawList(node['parts'])
    case 'datediff':
      return [node['from'], node['to']]
    case 'math':
      return rawList(node['args'])
    default:
      return []
  }
}

/** A case that is no object counts as an empty one. */
export function branches(node: RawObject): readonly RawObject[] {
  return rawList(node['cases']).map((branch) => (isRawObject(branch) ? branch : {}))
}
