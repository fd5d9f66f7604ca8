import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, scaled } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'
import { openGuide, type RunningProgram } from './snippets.ts'

const SOON = { timeout: scaled(30_000) }
const FILE = 'docs/guides/write-a-plugin.md'
const TEXT = readFileSync(join(ROOT, FILE), 'utf8')

const guide = await openGuide(FILE)
const ran = new Set<string>()
afterAll(() => guide.close())

function run(name: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  ran.add(name)
  return guide.run(name, variables)
}

async function start(name: string): Promise<{ readonly url: string; readonly program: RunningProgram }> {
  ran.add(name)
  const program = guide.start(name, { PORT: '0' })
  await expect.poll(() => program.printed(), SOON).toMatch(/^http:.+\n/)
  return { url: program.printed().trim(), program }
}

/** A block that shows what a program prints. */
function printedBy(name: string): string {
  return (
    new RegExp(`^\`\`\`text ${name}-printed\\n(.+?)^\`\`\`$`, 'ms').exec(TEXT)?.[1]?.trim() ?? `no block for ${name}`
  )
}

test('the plugin of the guide starts with a new key and passes its check', async () => {
  await run('key')
  const { url, program } = await start('plugin')
  const port = new URL(url).port
  const checked = await run('check', { PORT: port })
  expect(checked.replaceAll(port, 'PORT')).toBe(printedBy('check'))
  await program.stop()
})

test('the former key vouches for the new one, and the plugin that serves the list passes its check', async () => {
  await run('new-key')
  const { url, program } = await start('rolled-over')
  const manifest: unknown = await (await fetch(`${url}/manifest`)).json()
  expect(manifest).toMatchObject({ key_rollovers: [{ previous_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] })
  await program.stop()
})

test('mistakes of a definition are printed as the guide says', async () => {
  expect(await run('mistakes')).toBe(printedBy('mistakes'))
})

test('the plugin in Express serves its manifest below its path', async () => {
  const { url, program } = await start('express')
  const answer = await fetch(`${url}/manifest`)
  expect(await answer.json()).toMatchObject({ name: 'Sizes', field_types: [{ key: 'size' }] })
  await program.stop()
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
