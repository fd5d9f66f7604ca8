import { expect, test } from 'vitest'
import { parseLayer } from '../../lint/layers.ts'
import { isPermissive } from './installed.ts'
import { checkCycles, checkLayers, checkNames, checkPins } from './package-graph.ts'
import type { Manifest, Workspace } from './workspace.ts'

test('a dependency on an upper layer is refused', () => {
  const workspace = made({ 'io/bus': ['@sealpost/region'], 'apps/region': [] })
  expect(checkLayers(workspace)).toEqual(['io/bus declares @sealpost/region of apps/: arrows only point down'])
})

test('an app may not depend on an app, nor io on client', () => {
  const workspace = made({
    'apps/region': ['@sealpost/front-door'],
    'apps/front-door': [],
    'io/http': ['@sealpost/sdk'],
    'client/sdk': [],
  })
  expect(checkLayers(workspace)).toHaveLength(2)
})

test('dependencies on lower layers pass', () => {
  const workspace = made({
    'apps/region': ['@sealpost/bus', '@sealpost/sdk', '@sealpost/kernel'],
    'io/bus': ['@sealpost/postgres', '@sealpost/kernel'],
    'io/postgres': ['@sealpost/kernel'],
    'client/sdk': ['@sealpost/kernel'],
    'pure/kernel': [],
  })
  expect([...checkLayers(workspace), ...checkCycles(workspace)]).toEqual([])
})

test('the testkit is declared for tests only', () => {
  const forTests = made({ 'io/bus': ['@sealpost/testkit'], testkit: ['@sealpost/bus'] }, ['@sealpost/testkit'])
  expect([...checkLayers(forTests), ...checkCycles(forTests)]).toEqual([])
  const forUse = made({ 'io/bus': ['@sealpost/testkit'], testkit: [] })
  expect(checkLayers(forUse)[0]).toContain('a devDependency at most')
})

test('a package that does not exist is refused', () => {
  expect(checkLayers(made({ 'io/bus': ['@sealpost/gone'] }))).toEqual(['io/bus: there is no package @sealpost/gone'])
})

test('two packages that depend on each other are reported as one cycle', () => {
  const workspace = made({ 'io/bus': ['@sealpost/postgres'], 'io/postgres': ['@sealpost/bus'] })
  expect(checkCycles(workspace)).toEqual(['cycle: @sealpost/bus → @sealpost/postgres → @sealpost/bus'])
})

test('a range, a tag and a pinned own package are refused', () => {
  const dependencies = new Map([
    ['fastify', '^5.12.8'],
    ['pg', 'latest'],
    ['@sealpost/kernel', '0.1.0'],
    ['jose', '6.2.17'],
  ])
  const manifest: Manifest = {
    folder: 'io/http',
    layer: 'io',
    name: '@sealpost/http',
    dependencies,
    forTests: new Set(),
  }
  expect(checkPins({ root: '/', manifests: [manifest] })).toHaveLength(3)
})

test('a package has the name of its folder', () => {
  expect(checkNames(made({ 'io/bus': [], testkit: [] }))).toEqual([])
})

test.each([
  ['MIT', true],
  ['(MIT AND Zlib)', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['(MIT AND GPL-3.0-only)', false],
  ['AGPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['no licence', false],
])('the licence %s is permissive: %s', (licence, expected) => {
  expect(isPermissive(licence)).toBe(expected)
})

function made(packages: Readonly<Record<string, readonly string[]>>, forTests: readonly string[] = []): Workspace {
  const manifests = Object.entries(packages).map(([folder, names]): Manifest => {
    const [top = '', name = top] = folder.split('/')
    return {
      folder,
      layer: parseLayer(top),
      name: `@sealpost/${name}`,
      dependencies: new Map(names.map((dependency) => [dependency, '*'])),
      forTests: new Set(forTests),
    }
  })
  return { root: '/', manifests }
}
