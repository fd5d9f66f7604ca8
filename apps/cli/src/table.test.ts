import { expect, test } from 'vitest'
import { printList } from './table.ts'
import type { Terminal } from './terminal.ts'

const entries = Array.from({ length: 250 }, (_, at) => ({
  id: String(at),
  name: at === 200 ? 'a longer name' : 'name',
}))

async function printed(isJson: boolean, limit?: number): Promise<readonly string[]> {
  const lines: string[] = []
  const print = (line: string): void => void lines.push(line)
  const terminal = { print, log: print } as Terminal
  await printList({ terminal, isJson }, entries, ['id', 'name'], ({ id, name }) => [id, name], limit)
  return lines
}

test('a list has a heading and aligned columns, also when it is long', async () => {
  const lines = await printed(false)
  expect(lines).toHaveLength(251)
  expect(lines.slice(0, 2)).toEqual(['ID  NAME', '0   name'])
  expect(lines[201]).toBe('200  a longer name')
})

test('with --json every entry is a line, up to the limit', async () => {
  expect((await printed(true, 2)).map((line): unknown => JSON.parse(line))).toEqual(entries.slice(0, 2))
})
