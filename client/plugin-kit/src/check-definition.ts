import { type FieldType, parseFieldType, PLUGIN_LIMITS } from '@sealpost/plugin'
import { DefinitionError } from './definition-error.ts'
import type { AnyFieldType, BlockDefinition } from './definition.ts'

/** A field type with its description for the manifest. */
export interface ServedFieldType {
  readonly described: FieldType
  readonly definition: AnyFieldType
}

/** Checks what types cannot: sizes, keys, dependencies, and definitions that no compiler has seen. */
export function checkDefinitions(name: string, definitions: readonly AnyFieldType[]): readonly ServedFieldType[] {
  const problems: string[] = []
  if (typeof name !== 'string' || name.trim() === '' || name.length > PLUGIN_LIMITS.nameCharacters) {
    problems.push(`name must be a text of 1 to ${PLUGIN_LIMITS.nameCharacters} characters`)
  }
  if (!isList(definitions) || definitions.length === 0) {
    throw new DefinitionError([...problems, 'fieldTypes must be a list with at least one field type'])
  }
  if (definitions.length > PLUGIN_LIMITS.fieldTypes) {
    problems.push(`fieldTypes must have at most ${PLUGIN_LIMITS.fieldTypes} entries`)
  }
  const keys = definitions.map(({ key }) => key)
  for (const key of new Set(keys.filter((one, at) => keys.indexOf(one) !== at))) {
    problems.push(`fieldTypes has "${key}" twice`)
  }
  const served = definitions.flatMap((definition) => checkDefinition(problems, definition))
  if (problems.length > 0) throw new DefinitionError(problems)
  return served
}

function checkDefinition(problems: string[], definition: AnyFieldType): readonly ServedFieldType[] {
  const where = `field type ${JSON.stringify(definition.key)}`
  const described = describe(definition)
  const parsed = parseFieldType(described)
  if (!parsed.ok) {
    for (const { path, problem } of parsed.refusal) problems.push(`${where}: ${named(path, described)} ${problem}`)
  }
  for (const [key, block] of Object.entries(definition.blocks ?? {})) {
    for (const problem of handlerProblems(block)) problems.push(`${where}: blocks.${key} ${problem}`)
  }
  if (Object.keys(definition.blocks ?? {}).length === 0) problems.push(`${where}: blocks must have at least one block`)
  if (typeof definition.compute !== 'function') problems.push(`${where}: compute must be a function`)
  return parsed.ok ? [{ described: parsed.value, definition }] : []
}

function handlerProblems(block: BlockDefinition): readonly string[] {
  if (block.kind !== 'search_select') {
    return 'options' in block || 'search' in block ? [`is a ${block.kind} block and has no options`] : []
  }
  if ('options' in block) {
    const isUsable = typeof block.options === 'function' || Array.isArray(block.options)
    return isUsable ? [] : ['must have options: a list, or a function that returns one']
  }
  if (typeof block.search !== 'function') return ['must have options, or search and has']
  return typeof block.has === 'function'
    ? []
    : ['has search and no has: say whether an id is an option, to check picks']
}

function describe({ key, label, blocks, inputs = {}, outputs }: AnyFieldType) {
  return {
    key,
    label,
    blocks: Object.entries(blocks ?? {}).map(([own, { kind, label: shown, dependsOn }]) => ({
      key: own,
      kind,
      label: shown,
      ...(dependsOn === undefined ? {} : { depends_on: dependsOn }),
    })),
    inputs: Object.entries(inputs).map(([own, { type, label: shown, required = false }]) => ({
      key: own,
      type,
      label: shown,
      required,
    })),
    outputs: Object.entries(outputs ?? {}).map(([own, { type, label: shown }]) => ({ key: own, type, label: shown })),
  }
}

/** `blocks.1.depends_on` is `blocks.model.dependsOn` in the code of the author. */
function named(path: string, described: ReturnType<typeof describe>): string {
  const [part = '', at = '', ...rest] = path.split('.')
  const isMember = part === 'blocks' || part === 'inputs' || part === 'outputs'
  const key = isMember ? described[part][Number(at)]?.key : undefined
  if (at === '' || key === undefined) return path
  return [part, key, ...rest].join('.').replace('depends_on', 'dependsOn')
}

/** `Array.isArray` would make the entries `any`. */
function isList(value: unknown): boolean {
  return Array.isArray(value)
}
