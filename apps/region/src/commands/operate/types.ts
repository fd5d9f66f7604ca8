import { addTypes, listTypeRows, TypesRefused } from '../../modules/registry/index.ts'
import { type OperatorCommand, UsageError } from './command.ts'

/**
 * Each region has its own list, so the command is run in every region. Types are never removed: a request row, a field
 * or a card of any region may name one.
 */
export const addFieldTypes: OperatorCommand = {
  takes: '<row or list of rows as JSON>',
  about: 'adds field types to the registry of this region, all of them or none; repeat it in every region',
  async run({ platform: { region }, modules: { registry } }, [json, ...rest]) {
    if (json === undefined || rest.length > 0) throw new UsageError('give one JSON text, in quotes')
    const rows = readRows(json)
    try {
      const added = await addTypes(registry, rows)
      return `${region} has ${added.map(({ type }) => type).join(', ')} from now on`
    } catch (error) {
      if (!(error instanceof TypesRefused)) throw error
      throw new Error(`nothing was added:\n${error.message}`, { cause: error })
    }
  },
}

export const listFieldTypes: OperatorCommand = {
  takes: '',
  about: 'prints the field types of this region, one per line: those of the platform, then those that were added',
  async run({ platform: { database } }, args) {
    if (args.length > 0) throw new UsageError('it takes nothing')
    const rows = await database.read(listTypeRows)
    return rows
      .map(({ type, parent, is_system: isSystem }) => `${type} ${parent ?? '-'} ${isSystem ? 'platform' : 'added'}`)
      .join('\n')
  },
}

function readRows(json: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(json)
    const rows: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (rows.length > 0) return rows
  } catch (error) {
    throw new UsageError(`this is not JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  throw new UsageError('the list is empty')
}
