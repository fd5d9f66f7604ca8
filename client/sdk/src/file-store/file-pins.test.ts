import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filePins } from './file-pins.ts'

const home = mkdtempSync(join(tmpdir(), 'sealpost-pins-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('a pin survives the process, and several processes share a folder', async () => {
  const [one, other] = [filePins(join(home, 'a')), filePins(join(home, 'a'))]
  expect(await one.get('service:ACME/MAIN')).toBeUndefined()
  await one.set('service:ACME/MAIN', 'ab'.repeat(32))
  expect(await other.get('service:ACME/MAIN')).toBe('ab'.repeat(32))
  await Promise.all(Array.from({ length: 20 }, (_, at) => other.set('value:x', `{"line":"\\n","at":${at}}`)))
  expect(await one.get('value:x')).toMatch(/^\{"line":"\\n","at":\d+\}$/)
})

test('pins are private to the user, and no partial file is left', async () => {
  const folder = join(home, 'b')
  await filePins(folder).set('a', 'b')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files).toHaveLength(1)
  const [file] = files
  expect(statSync(join(file?.parentPath ?? '', file?.name ?? '')).mode & 0o777).toBe(0o600)
})

test('a damaged pin is an error, not a first use', async () => {
  const folder = join(home, 'c')
  const pins = filePins(folder)
  await pins.set('a', 'b')
  const [file] = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  writeFileSync(join(file?.parentPath ?? '', file?.name ?? ''), '')
  await expect(Promise.resolve(pins.get('a'))).rejects.toThrow('damaged')
})
