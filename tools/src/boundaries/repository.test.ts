import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkCommands, checkDocumented } from './documented.ts'
import { checkInstallScripts, checkLicences } from './installed.ts'
import { checkModules } from './modules.ts'
import { readWorkspace } from './workspace.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sealpost-boundaries-'))
  write('package.json', { name: 'made', workspaces: [] })
  write('package-lock.json', { packages: {} })
  write('tools/node/package-lock.json', { packages: {} })
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

test('a module without table row, README.md or index.ts, or with another document, is reported', () => {
  write('apps/region/package.json', { name: '@sealpost/region' })
  write('apps/region/src/modules/gossip/store/rows.ts', {})
  write('apps/region/src/modules/gossip/NOTES.md', '# Notes')
  expect(checkModules(readWorkspace(root))).toEqual([
    'module gossip of region has no README.md',
    'module gossip of region has no index.ts',
    'NOTES.md is not a name of the module shape: notes belong in README.md',
    'module gossip of region has no row in tools/lint/module-table.ts',
  ])
})

test('a licence that is not permissive and an install script are reported', () => {
  write('package-lock.json', { packages: { 'node_modules/bad': {}, 'node_modules/elsewhere': {} } })
  write('node_modules/bad/package.json', { name: 'bad', license: 'GPL-3.0-only', scripts: { postinstall: 'node x' } })
  expect(checkLicences(readWorkspace(root))[0]).toContain('bad is under "GPL-3.0-only"')
  expect(checkInstallScripts(readWorkspace(root))[0]).toContain('bad has a script that runs at installation')
})

test('a dependency without explanation and a row without dependency are reported', () => {
  write('io/mail/package.json', { name: '@sealpost/mail', dependencies: { '@sealpost/kernel': '*', mailer: '1.0.0' } })
  expect(checkDocumented(readWorkspace(root))[0]).toContain('docs/dependencies.md is missing')
  write('docs/dependencies.md', '| package | why |\n|---|---|\n| `post` | it was once needed |\n')
  expect(checkDocumented(readWorkspace(root))).toEqual([
    'docs/dependencies.md has no line for `mailer`',
    'docs/dependencies.md has a row for `post`, which no package declares',
  ])
})

test('a script without a row in tools/README.md and a row without a script are reported', () => {
  write('package.json', { name: 'made', workspaces: [], scripts: { check: 'node check.ts', lint: 'oxlint' } })
  write('tools/README.md', '| command | what |\n|---|---|\n| `lint` | lints |\n| `gone` | was removed |\n')
  expect(checkCommands(readWorkspace(root))).toEqual([
    'tools/README.md has no row for npm run check',
    'tools/README.md has a row for gone, which is no script',
  ])
})

function write(path: string, content: object | string): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}
