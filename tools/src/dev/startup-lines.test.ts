import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openStartupLines } from './startup-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealpost-dev-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('lines of the start are in the file only, later ones are printed, too', () => {
  const file = join(folder, 'dev.log')
  const printed: string[] = []
  const lines = openStartupLines(file, (line) => printed.push(line))
  lines.add('one')
  expect(printed).toEqual([])
  lines.follow()
  lines.add('two')
  expect(printed).toEqual(['two'])
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
})

test('a start that fails shows the last lines', () => {
  const lines = openStartupLines(join(folder, 'failed.log'), () => {})
  for (let line = 1; line <= 30; line += 1) lines.add(`line ${line}`)
  expect(lines.last()).toEqual(Array.from({ length: 20 }, (_, place) => `line ${place + 11}`))
})
