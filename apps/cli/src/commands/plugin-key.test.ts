import { createPublicKey } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCryptoPlatform, isVouchedKey } from '@sealpost/crypto'
import type { KeyRollover } from '@sealpost/plugin-kit'
import { expect, test } from 'vitest'
import { openTerminal } from '../testing.ts'

const KEY = ['plugin', 'key', '--out'] as const

test('plugin key --previous makes the next key and the list by which the former ones vouch for it', async () => {
  using terminal = openTerminal()
  const read = (file: string): string => readFileSync(join(terminal.folder, file), 'utf8')
  const publicKeyOf = (file: string): string =>
    createPublicKey(read(file)).export({ type: 'spki', format: 'der' }).toString('base64')
  await terminal.run(...KEY, '1.key')
  const first = await terminal.run(...KEY, '2.key', '--previous', '1.key', '--rollovers-out', '2.json', '--json')
  expect(JSON.parse(first.out)).toEqual({ wrote: '2.key', rollovers: '2.json', entries: 1 })
  const words = ['--previous', '2.key', '--rollovers', '2.json', '--rollovers-out', '3.json'] as const
  expect((await terminal.run(...KEY, '3.key', ...words)).code).toBe(0)
  const list = JSON.parse(read('3.json')) as readonly KeyRollover[]
  expect(list.slice(0, 1)).toEqual(JSON.parse(read('2.json')))
  for (const known of ['1.key', '2.key']) {
    const platform = createCryptoPlatform(globalThis)
    expect(await isVouchedKey(platform, publicKeyOf(known), publicKeyOf('3.key'), list)).toBe(true)
  }
})

test('nothing is written when the key cannot be vouched for, and no file is replaced', async () => {
  using terminal = openTerminal()
  await terminal.run(...KEY, '1.key')
  writeFileSync(join(terminal.folder, 'no.key'), 'no key')
  writeFileSync(join(terminal.folder, 'no.json'), '[{"signature": 7}]')
  const refused = async (...words: readonly string[]) => {
    const { code, logged } = await terminal.run(...KEY, 'new.key', ...words)
    return [code, logged] as const
  }
  const out = ['--rollovers-out', 'new.json']
  expect(await refused('--previous', '1.key')).toEqual([2, expect.stringContaining('--rollovers-out')])
  expect(await refused(...out)).toEqual([2, expect.stringContaining('go with --previous')])
  expect(await refused('--previous', 'no.key', ...out)).toEqual([1, expect.stringContaining('cannot vouch')])
  expect(await refused('--previous', '1.key', ...out, '--rollovers', 'no.json')).toEqual([
    1,
    expect.stringContaining('no list of rollovers'),
  ])
  expect(await refused('--previous', '1.key', '--rollovers-out', 'no.json')).toEqual([
    1,
    expect.stringContaining('exists already'),
  ])
  expect((await refused())[0]).toBe(0)
})
