import { keysReadByExpression } from '@sealpost/expression'
import type { PublishIssue } from '@sealpost/protocol'
import { pointer, type JsonPointer } from '../definition/pointer.ts'
import { cyclesIn, type Dependencies } from '../graph/cycles.ts'
import type { PublishContext } from './context.ts'
import { fieldExpressions } from './defaults.ts'
import { issue, quoted } from './issue.ts'

/** One place at which a key depends on others. */
interface Dependency {
  readonly key: string
  readonly reads: readonly string[]
  readonly path: JsonPointer
}

/** Cycles among constants alone, and cycles through the inputs of fields and plugins. One finding per cycle. */
export function checkDependencies(context: PublishContext): readonly PublishIssue[] {
  const constants = constantDependencies(context)
  const all = [...expressionDependencies(context), ...pluginDependencies(context), ...constants]
  const constantKeys = new Set(constants.map(({ key }) => key))
  const mixed = cyclesIn(keyed(all)).filter((cycle) => !cycle.every((key) => constantKeys.has(key)))
  return [
    ...cyclesIn(keyed(constants)).map((cycle) => cycleIssue('constant.cycle', cycle, constants)),
    ...mixed.map((cycle) => cycleIssue('dependency.cycle', cycle, all)),
  ]
}

function cycleIssue(
  key: 'constant.cycle' | 'dependency.cycle',
  cycle: readonly string[],
  dependencies: readonly Dependency[],
): PublishIssue {
  const members = new Set(cycle)
  const isInside = ({ key: from, reads }: Dependency): boolean =>
    members.has(from) && reads.some((read) => members.has(read))
  const path = dependencies.find(isInside)?.path ?? ''
  return issue(key, path, cycle.map(quoted).join(', '))
}

function keyed(dependencies: readonly Dependency[]): Dependencies {
  const reads = new Map<string, string[]>()
  for (const { key } of dependencies) reads.set(key, [])
  for (const { key, reads: more } of dependencies) for (const read of more) reads.get(key)?.push(read)
  return reads
}

function constantDependencies({ constants }: PublishContext): readonly Dependency[] {
  return constants.map(({ constant, path }) => ({
    key: constant.key,
    reads: keysReadByExpression(constant.expr).map(owner),
    path: pointer(path, 'expr'),
  }))
}

function expressionDependencies(context: PublishContext): readonly Dependency[] {
  return fieldExpressions(context).map(({ field, written, path }) => ({
    key: field.slug,
    reads: keysReadByExpression(written).map(owner),
    path,
  }))
}

function pluginDependencies({ elements }: PublishContext): readonly Dependency[] {
  return elements.flatMap(({ element, path }) => {
    if (element.kind !== 'plugin') return []
    return Object.entries(element.plugin.inputs).map(([input, key]) => ({
      key: element.slug,
      reads: [owner(key)],
      path: pointer(path, 'plugin', 'inputs', input),
    }))
  })
}

/** `flight.price` is part of the answer `flight`. */
function owner(key: string): string {
  return key.split('.', 1)[0] ?? key
}
