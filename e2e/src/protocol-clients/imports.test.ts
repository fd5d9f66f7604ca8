import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Fixtures only: what a client of another vendor would find installed, and pictures and PDFs to upload. */
const ALLOWED = new Set(['@sealpost/testkit', '@sealpost/images/testing', '@sealpost/pdf-format/testing', 'vitest'])

test('these clients share no code with the platform', async () => {
  const folder = new URL('.', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'))
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8')
    const imported = [...text.matchAll(/^(?:import|export) .*from '([^']+)'|^\} from '([^']+)'/gm)].map(
      ([, from, late = '']) => from ?? late,
    )
    const strange = imported.filter((from) => !from.startsWith('./') && !from.startsWith('node:') && !ALLOWED.has(from))
    expect([name, strange]).toEqual([name, []])
  }
})
