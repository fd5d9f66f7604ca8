import type { Command } from '../command.ts'
import { printTable } from '../table.ts'

const list: Command = {
  words: ['types', 'list'],
  summary: 'List the field types of the platform, for request fields',
  positionals: [],
  options: {},
  async run(context) {
    const { terminal, isJson } = context
    const client = context.accountAccess() === 'none' ? context.service() : context.account()
    const types = await client.registry()
    if (isJson) return types.rows.forEach((row) => terminal.print(JSON.stringify(row)))
    const rows = types.rows.map((row) => {
      const { type, parent } = namesOf(row)
      const { input, lane, options, entries } = types.resolve(type)
      const parts = options ?? entries.map(({ key, required }) => (required ? `${key}*` : key))
      return [type, parent, input ?? '', lane ?? '', parts.join(', ')]
    })
    printTable(terminal, ['type', 'parent', 'input', 'lane', 'options or parts'], rows)
  },
}

export const typeCommands: readonly Command[] = [list]

function namesOf(row: unknown): { readonly type: string; readonly parent: string } {
  const members: Readonly<Record<string, unknown>> = typeof row === 'object' ? { ...row } : {}
  const [type, parent] = [members['type'], members['parent']]
  return { type: typeof type === 'string' ? type : '', parent: typeof parent === 'string' ? parent : '' }
}
