import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shapeObjection } from '../../lint/module-shape.ts'
import { planModule } from './module.ts'
import { moduleNames, type Names } from './names.ts'
import { applyPlan } from './plan.ts'

const root = join(import.meta.dirname, '../../..')
const MODULES = 'apps/region/src/modules/'
const names = moduleNames('loyalty-cards') as Names

const WIRED = [
  'apps/region/src/compose.ts',
  'apps/region/src/hooks.ts',
  'e2e/src/matrix/examples.ts',
  'e2e/src/matrix/who-may-what.ts',
  'pure/protocol/src/index.ts',
  'pure/protocol/src/operations/index.ts',
  'tools/lint/module-table.ts',
]

test.each(['module', 'sides'] as const)('a new %s has the module shape', (kind) => {
  const inModules = [...planModule(root, names, kind).files].filter(([path]) => path.startsWith(MODULES))
  const objections = inModules.flatMap(
    ([path, text]) => shapeObjection('region', path.slice(MODULES.length), text) ?? [],
  )
  expect(inModules.length).toBeGreaterThan(10)
  expect(objections).toEqual([])
})

test.each(['module', 'sides'] as const)('a new %s is wired in every file that lists modules', (kind) => {
  const plan = planModule(root, names, kind)
  const changed = [...applyPlan(root, plan).keys()].filter((path) => !plan.files.has(path))
  expect(changed.toSorted()).toEqual(WIRED)
})

test('an existing name and a line without a place are refused before anything is written', () => {
  const plan = { files: new Map(), lines: [], next: [] }
  expect(() => applyPlan(root, { ...plan, files: new Map([['package.json', '']]) })).toThrow('exists already')
  const line = { path: 'package.json', text: 'never', before: /no such text/ }
  expect(() => applyPlan(root, { ...plan, lines: [line] })).toThrow('no place in package.json')
})
