import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const APP = fileURLToPath(new URL('testing/app.ts', import.meta.url))

test.each(['SIGTERM', 'SIGINT'] as const)('%s, also if repeated, drains, closes and ends with 0', async (signal) => {
  const { code, output } = await runUntil('serve', 'is listening', signal)
  expect(code).toBe(0)
  expect(output).toMatch(/region is ending[\s\S]*"draining"[\s\S]*"closed"/)
})

test('a signal during the start ends it with 0, and no log line is lost', async () => {
  const { code, output } = await runUntil('hang', 'starting: hang', 'SIGTERM')
  expect([code, output]).toEqual([0, expect.stringContaining('region is ending')])
})

test('settings that the start refuses end with 78 and the list, like those refused before', async () => {
  for (const [mode, problem] of [
    ['bad settings', 'ROLES: there is no role "apy"'],
    ['no such mode', 'MODE: "no such mode" is not one of'],
  ] as const) {
    const { code, errors } = await runUntil(mode)
    expect([code, errors]).toEqual([78, expect.stringContaining(problem)])
  }
})

test('a database without tables names the command that creates them', async () => {
  const { code, output } = await runUntil('no tables')
  expect([code, output]).toEqual([1, expect.stringContaining('run `node apps/region/src/commands/migrate.ts` first')])
})

interface Outcome {
  readonly code: unknown
  readonly output: string
  readonly errors: string
}

/** Runs the app to its end; once it has printed `line`, it gets the signal with all further output. */
async function runUntil(mode: string, line?: string, signal?: NodeJS.Signals): Promise<Outcome> {
  const child = spawn(process.execPath, [APP], { env: { MODE: mode }, stdio: ['ignore', 'pipe', 'pipe'] })
  const errors = text(child.stderr)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    if (signal !== undefined && line !== undefined && output.includes(line)) child.kill(signal)
  })
  const [code] = await once(child, 'close')
  return { code, output, errors: await errors }
}
