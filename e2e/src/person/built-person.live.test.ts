import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bundledPrograms, ROOT, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { builtPerson } from './built-person.ts'

const LONG = { timeout: scaled(120_000) }
/** Not the folder alone: a short one could be a part of any text. */
const PLACES = ['apps', 'client', 'io', 'pure', 'node_modules'].map((folder) => `${join(ROOT, folder)}/`)

test('bundles and the built app contain no path of their checkout: another one may run them', LONG, async () => {
  const files = [await bundledPrograms(), await builtPerson()].flatMap(filesIn)
  expect(files.length).toBeGreaterThan(20)
  const tied = files.filter((file) => {
    const text = readFileSync(file, 'latin1')
    return PLACES.some((place) => text.includes(place))
  })
  expect(tied).toEqual([])
})

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}
