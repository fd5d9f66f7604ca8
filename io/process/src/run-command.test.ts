import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const COMMAND = fileURLToPath(new URL('testing/command.ts', import.meta.url))

test.each([
  ['nothing', { status: 0, stdout: 'done\n', stderr: '' }],
  ['words', { status: 1, stdout: '', stderr: 'name a company\n' }],
  [
    'tables',
    {
      status: 1,
      stdout: '',
      stderr: 'the database lacks tables: run migrate.ts of this app first (in development npm run dev does it)\n',
    },
  ],
])('a command that meets %s', (word, expected) => {
  expect(spawnSync(process.execPath, [COMMAND, word], { encoding: 'utf8' })).toMatchObject(expected)
})
