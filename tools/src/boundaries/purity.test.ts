import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageFolders } from '../../lint/place.ts'
import { markedLines, runTool } from './fixture-lines.ts'

const root = join(import.meta.dirname, '../../..')
const impure = join(import.meta.dirname, 'fixtures/impure')

test('the compiler refuses every use of Node or browser APIs in a pure package', () => {
  const output = runTool('tsc', ['-p', '.', '--pretty', 'false'], impure)
  const refused = [...output.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+)/gm)]
  expect(refused.map(([, file, line, code]) => `${file}:${line} by ${code}`)).toEqual(markedLines(impure))
})

test('no import brings the types of Node or of a browser into a pure package', () => {
  const folders = packageFolders(root, 'pure')
  expect(folders.length).toBeGreaterThan(0)
  for (const folder of folders) {
    const files = runTool('tsc', ['-p', folder, '--listFilesOnly'], root).split('\n')
    expect(files.filter((file) => file.includes('/@types/') || /lib\.(dom|webworker)/.test(file))).toEqual([])
  }
})
