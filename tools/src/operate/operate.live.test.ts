import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

function run(script: string, ...args: readonly string[]) {
  const path = fileURLToPath(new URL(`../../../${script}`, import.meta.url))
  // A folder without engines, as on a new machine.
  const env = { ...process.env, SEALPOST_DIRECTORY_POSTGRES_URL: '' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { env, encoding: 'utf8' })
  return { status, stdout, stderr: stderr.trim() }
}

test.each(['tools/src/operate/doctor.ts', 'e2e/src/smoke/main.ts'])(
  '%s without engines names the command to run first and prints no stack trace',
  (script) => {
    const stderr =
      'no engine is known for directory.postgresUrl: run npm run infra first, or set SEALPOST_DIRECTORY_POSTGRES_URL'
    expect(run(script)).toEqual({ status: 1, stdout: '', stderr })
  },
)

test('an operator’s command needs a region and its engines', () => {
  expect(run('tools/src/operate/main.ts')).toMatchObject({ status: 2, stderr: expect.stringContaining('eu|us') })
  expect(run('tools/src/operate/main.ts', 'eu', 'types:list').stderr).toMatch(/^no engine is known for [^\n]*$/)
})
