import { expect, test } from 'vitest'
import { findLockProblems, type Lock } from './lock.ts'
import { findSbomProblems, type Sbom } from './sbom.ts'

const good = { version: '1.2.3', integrity: 'sha512-abc' }

test.each<[string, Lock, string]>([
  ['a package without a hash', { 'node_modules/a': { version: '1.0.0' } }, 'node_modules/a has no sha512 hash'],
  ['a weak hash', { 'node_modules/a': { version: '1.0.0', integrity: 'sha1-abc' } }, 'has no sha512 hash'],
  [
    'a package of a repository',
    { 'node_modules/a': { ...good, resolved: 'git+ssh://git@x/a.git' } },
    'comes from git+ssh',
  ],
  ['plain http', { 'node_modules/a': { ...good, resolved: 'http://x/a.tgz' } }, 'comes from http:'],
  ['a script', { 'x/node_modules/@s/a': { ...good, hasInstallScript: true } }, 'x/node_modules/@s/a runs a script'],
])('the lock is refused: %s', (_, lock, expected) => {
  expect(findLockProblems({ ...lock, 'node_modules/b': good })).toEqual([expect.stringContaining(expected)])
})

test('packages of the workspace need no hash', () => {
  expect(findLockProblems({ '': { version: '0.1.0' }, 'pure/kernel': {}, 'node_modules/k': { link: true } })).toEqual(
    [],
  )
})

test('the bill of materials names every locked package with its hash', () => {
  const lock: Lock = { 'node_modules/a': good, 'node_modules/a/node_modules/@s/b': good }
  const hashes = [{ alg: 'SHA-512', content: 'ab' }]
  const sbom: Sbom = { bomFormat: 'CycloneDX', components: [{ name: 'a', version: '1.2.3', hashes }] }
  expect(findSbomProblems(sbom, lock)).toEqual(['the document leaves out @s/b@1.2.3'])
  const bare = { ...sbom, components: [...sbom.components, { name: '@s/b', version: '1.2.3' }] }
  expect(findSbomProblems(bare, lock)).toEqual(['the document has no hash of @s/b@1.2.3'])
})
