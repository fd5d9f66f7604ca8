import type { Command } from '../command.ts'
import { printList } from '../table.ts'

const list: Command = {
  words: ['types', 'list'],
  summary: 'List the field types of the platform, for request fields',
  json: 'lines',
  positionals: [],
  options: {},
  async run(context) {
    const client = context.accountAccess() === 'none' ? context.service() : context.account()
    const types = await client.registry()
    await printList(context, types.rows, ['type', 'parent', 'input', 'lane', 'options or parts'], (row) => {
      const { type, parent } = namesOf(row)
      const { input, lane, options, entries } = types.resolve(type)
      const parts = options ?? entries.map(({ key, required }) => (required ? `${key}*` : key))
      return [type, parent, input ?? '', lane ?? '', parts.join(', ')]
    })
  },
}

export const typeCommands: readonly Command[] = [list]

function namesOf(row: unknown): { readonly type: string; readonly parent: string } {
  const members: Readonly<Record<string, unknown>> = typeof row === 'object' ? { ...row } : {}
  const [type, parent] = [members['type'], members['parent']]
  return { type: typeof type === 'string' ? type : '', parent: typeof parent === 'string' ? parent : '' }
}
