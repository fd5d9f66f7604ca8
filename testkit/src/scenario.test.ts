import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const PROGRAM = `
import { runScenario } from ${JSON.stringify(new URL('scenario.ts', import.meta.url).href)}
const run = ({ onEnd, progress }) => {
  onEnd(async () => console.log('cleaned'))
  progress('under way')
  return new Promise(() => setInterval(() => {}, 1000))
}
await runScenario([{ name: 'endless', about: '', sizes: { small: null, full: null }, bars: [], run }], ['endless'])
`

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a run that is ended by %s cleans up', async (signal, expected) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (!output.includes('under way') && (output + chunk).includes('under way')) child.kill(signal)
    output += chunk
  })
  const [code] = await once(child, 'close')
  expect([code, output]).toEqual([expected, expect.stringContaining('cleaned')])
})
