import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secretSetting, textSetting } from '@sealpost/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { findDifferences, readCommitted, writeFiles } from './committed.ts'
import { generatedFiles } from './files.ts'
import { settingsPage } from './settings-page.ts'

test('generating twice gives the same text', () => {
  expect([...generatedFiles()]).toEqual([...generatedFiles()])
})

test('written files do not differ; changed, missing and stray files do', async () => {
  const root = await temporaryFolder()
  const files = new Map([
    ['docs/api/a.json', '{}\n'],
    ['docs/errors.md', '# Errors\n'],
  ])
  await writeFiles(root, files, findDifferences(files, await readCommitted(root, files)))
  expect(findDifferences(files, await readCommitted(root, files))).toEqual([])

  const next = new Map([
    ['docs/api/b.json', '{}\n'],
    ['docs/errors.md', '# Other errors\n'],
  ])
  const differences = findDifferences(next, await readCommitted(root, next))
  expect(differences).toEqual([
    { path: 'docs/api/b.json', what: 'missing' },
    { path: 'docs/errors.md', what: 'out of date' },
    { path: 'docs/api/a.json', what: 'stray' },
  ])
  await writeFiles(root, next, differences)
  expect(await readdir(join(root, 'docs/api'))).toEqual(['b.json'])
})

test('the settings page lists defaults, except those of secrets', () => {
  const page = settingsPage([
    {
      app: 'demo',
      about: 'An app.',
      table: {
        NAME: textSetting({ about: 'A | name.', fallback: 'anna' }),
        PLACE: textSetting({ about: 'A place.' }),
        TOKEN: secretSetting({ about: 'A token.', fallback: 'hunter2' }),
      },
    },
  ])
  expect(page).toContain('| `NAME` | A \\| name. | text | `anna` |')
  expect(page).toContain('| `PLACE` | A place. | text | must be given |')
  expect(page).toContain('| `TOKEN` |')
  expect(page).not.toContain('hunter2')
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'generate-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  return folder
}
