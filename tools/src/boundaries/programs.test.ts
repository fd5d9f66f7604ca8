import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LAYERS } from '../../lint/layers.ts'
import { packageFolders } from '../../lint/place.ts'
import { markedLines, runTool } from './fixture-lines.ts'
import { asRecord } from './workspace.ts'

const root = join(import.meta.dirname, '../../..')
const impure = join(import.meta.dirname, 'fixtures/impure')
const PURE = 'tsconfig.pure.json'

test('every source file belongs to a program that tsc -b checks', () => {
  const checked = new Set(
    [PURE, 'tsconfig.node.json', 'tsconfig.web.json', 'apps/front-door/browser'].flatMap(rootFilesOf),
  )
  const files = LAYERS.flatMap((layer) => packageFolders(root, layer)).flatMap(sourcesIn)
  expect(files.length).toBeGreaterThan(1000)
  expect(files.filter((file) => !checked.has(file))).toEqual([])
})

test('every file of a pure package but its tests is in the pure program', () => {
  const files = packageFolders(root, 'pure').flatMap(sourcesIn)
  const pure = new Set(rootFilesOf(PURE))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => pure.has(file) === file.endsWith('.test.ts'))).toEqual([])
})

test('no import brings the types of Node or of a browser into the pure program', () => {
  const files = runTool('tsc', ['-p', PURE, '--listFilesOnly'], root).split('\n')
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => file.includes('/@types/') || /lib\.(dom|webworker)/.test(file))).toEqual([])
})

test('the compiler refuses every use of Node or browser APIs in a pure package', () => {
  const output = runTool('tsc', ['-p', '.', '--pretty', 'false'], impure)
  const refused = [...output.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+)/gm)]
  expect(refused.map(([, file, line, code]) => `${file}:${line} by ${code}`)).toEqual(markedLines(impure))
})

function rootFilesOf(project: string): readonly string[] {
  const { files } = asRecord(JSON.parse(runTool('tsc', ['-p', project, '--showConfig'], root)))
  const folder = project.endsWith('.json') ? root : join(root, project)
  return (Array.isArray(files) ? files : []).map((file) => join(folder, String(file)))
}

/** All but fixtures, which are wrong on purpose. */
function sourcesIn(folder: string): readonly string[] {
  const parts = ['src', 'build', 'test', 'lint', 'browser'].map((name) => join(folder, name)).filter(existsSync)
  return parts
    .flatMap((part) => readdirSync(part, { recursive: true, encoding: 'utf8' }).map((name) => join(part, name)))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('/fixtures/') && !file.includes('/node_modules/'))
}
