import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leaksIn } from './leaks.ts'
import { believedLies } from './lies/believed.ts'
import { keyLies } from './lies/keys.ts'
import type { LieCase } from './lies/lie-case.ts'
import { loginLies } from './lies/login.ts'
import { readingLies } from './lies/reading.ts'
import { sealingLies } from './lies/sealing.ts'
import { valueLies } from './lies/values.ts'
import { LISTED } from './members/listed.ts'
import { openStage } from './stage.ts'

// A person in us, a company in eu, an honest installation, and a server in front of each party that changes single
// members of its answers. Every lie is shown to matter: the same call succeeds without it.
const stage = await openStage()
const lies: readonly LieCase[] = [...sealingLies, ...keyLies, ...valueLies, ...readingLies, ...loginLies]

test('there are at least forty different lies', () => {
  expect(new Set(lies.map(({ name }) => name)).size).toBe(lies.length)
  expect(lies.length).toBeGreaterThanOrEqual(40)
})

test.each(lies.map((lie) => [lie.name, lie] as const))('refused: %s', async (_, { server, lie, act, refused }) => {
  const hostile = server(stage)
  hostile.tell(null)
  await act(stage)
  hostile.tell(await lie(stage))
  const error = await act(stage).then(
    () => null,
    (reason: unknown) => reason,
  )
  const { changed } = hostile
  const leaks = await leaksIn(hostile.seen, stage.operator, /secret \d+ of Ana/)
  hostile.tell(null)
  expect(error).toMatchObject(refused)
  expect(changed).toBeGreaterThan(0)
  expect(leaks).toEqual([])
})

test.each(believedLies.map((lie) => [lie.name, lie] as const))('believed: %s', async (_, { server, lie, act }) => {
  const hostile = server(stage)
  hostile.tell(null)
  const honest = await act(stage)
  hostile.tell(await lie(stage))
  const believed = await act(stage)
  hostile.tell(null)
  expect(believed).not.toEqual(honest)
})

test('SECURITY.md lists exactly the lies that are believed', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../SECURITY.md'), 'utf8')
  const [, section = ''] = text.split('### What a hostile server can do')
  const [list = ''] = section.split(/^##/m)
  const items = list.split(/^- /m).slice(1)
  const names = items.map((item) => item.split(/\n\n/)[0]?.replaceAll(/\s+/g, ' ').trim() ?? '')
  expect(names).toEqual([...believedLies.map(({ name }) => name), ...Object.values(LISTED)])
})
