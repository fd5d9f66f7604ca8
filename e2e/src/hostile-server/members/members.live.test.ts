import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allOperations } from '@sealpost/protocol'
import { scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { believedLies } from '../lies/believed.ts'
import { walkAnswers } from './answer-members.ts'
import { EXPECTED } from './expected.ts'
import { LISTED, LISTED_BEFORE, type Reason } from './listed.ts'
import { nameOf, tellAll } from './told.ts'
import { UNTOLD } from './untold.ts'
import { isUnknown, namesWithout } from './vocabulary.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const { members, names } = walkAnswers()
const untold = UNTOLD.flatMap(([answer, paths, reason]) =>
  paths.split(/\s+/).map((path) => ({ member: `${answer} ${path}`, reason })),
)
/** Effects after which a client believes what is not true, or the operator learns something. */
const GIVES_WAY = /believed|leaked|led elsewhere/

test('each name of a member is known: it decides something for a client, or nothing', () => {
  expect([...names].filter(isUnknown)).toEqual([])
  expect(namesWithout(names)).toEqual([])
})

test('each member that decides something has one expectation, and each expectation has its member', () => {
  const expected = [...Object.keys(EXPECTED), ...untold.map(({ member }) => member)]
  expect(expected.toSorted()).toEqual(members.map(nameOf).toSorted())
})

test('each lie about a member has the effect that is expected of it', { timeout: scaled(240_000) }, async () => {
  const told = await tellAll()
  const found = Object.fromEntries(
    [...told.effects].map(([name, { first, after }]) => [name, [textOf(first), textOf(after)]]),
  )
  const wanted = Object.fromEntries(
    Object.entries(EXPECTED).map(([name, { first, after = first }]) => [name, [first, after]]),
  )
  expect(found).toEqual(wanted)
  console.log(summary(told.lies))
})

test('what is believed is listed in SECURITY.md, and nothing else', () => {
  const lines = Object.entries(EXPECTED).map(([name, { first, after = first, listed }]) => ({
    name,
    isListed: listed !== undefined,
    givesWay: GIVES_WAY.test(`${first}; ${after}`),
  }))
  expect(lines.filter(({ isListed, givesWay }) => isListed !== givesWay).map(({ name }) => name)).toEqual([])
  const used = new Set<string | undefined>([
    ...Object.values(EXPECTED).map(({ listed }) => listed),
    ...untold.map(({ reason }) => ('listed' in reason ? reason.listed : undefined)),
  ])
  expect(Object.keys({ ...LISTED, ...LISTED_BEFORE }).filter((name) => !used.has(name))).toEqual([])
  // `hostile-server.live.test.ts` compares the list with SECURITY.md.
  expect(believedLies.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.values(LISTED_BEFORE)))
})

test('the reason of a member about which no lie is told holds', () => {
  const sources = sourcesOf(['client', 'apps/person', 'apps/portal', 'apps/cli', 'apps/web'])
  const wrong = untold.flatMap(({ member, reason }) => (holds(member, reason, sources) ? [] : [member]))
  expect(wrong).toEqual([])
})

function textOf(effects: ReadonlySet<string>): string {
  return [...effects].toSorted().join('; ')
}

function summary(lies: number): string {
  const lines = Object.values(EXPECTED)
  const [giving, rest] = [true, false].map((wanted) => lines.filter(({ listed }) => (listed !== undefined) === wanted))
  const refused = rest?.filter(({ first }) => /Error|refused/.test(first)) ?? []
  const answers = new Set(members.map(({ answer }) => answer)).size
  return [
    `${members.length} members of ${answers} answers`,
    `${lies} lies about ${lines.length} of them: ${refused.length} refused, ${giving?.length} listed, ${
      (rest?.length ?? 0) - refused.length
    } shown or not read`,
    `${untold.length} not told`,
  ].join('; ')
}

/** `no_client`: no client names the route; a test: it names the member; what is listed needs no more. */
function holds(member: string, reason: Reason, sources: string): boolean {
  const [answer = '', path = ''] = member.split(' ')
  if ('listed' in reason) return reason.listed in LISTED || reason.listed in LISTED_BEFORE
  if ('shownBy' in reason) {
    const file = join(ROOT, reason.shownBy)
    return existsSync(file) && readFileSync(file, 'utf8').includes(path.split('.').at(-1) ?? '')
  }
  const operation = allOperations.find(({ id }) => id === answer)
  const route = operation === undefined ? null : routeOf(operation.method, operation.path)
  return !(route === null ? mention(operation?.path ?? answer) : new RegExp(`\\b${route}\\b`)).test(sources)
}

/** The path as a template of the SDK or of a text. */
function mention(path: string): RegExp {
  return new RegExp(path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '\\$?\\{[^}]+\\}'))
}

const generated = readFileSync(join(ROOT, 'client/sdk/src/routes.generated.ts'), 'utf8')

/** The name of the route in the SDK; null if it has none. */
function routeOf(method: string, path: string): string | null {
  for (const [, name, body] of generated.matchAll(/^export const (\w+)[^=]*= \{([\s\S]*?)\n\}/gm))
    if (body?.includes(`method: '${method}'`) === true && body.includes(`path: '${path}'`)) return name ?? null
  return null
}

function sourcesOf(folders: readonly string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const isSource = (file: string): boolean =>
    /\.tsx?$/.test(file) && file.includes('/src/') && !/node_modules|generated|\.test\.|\/test/.test(file)
  return files
    .filter(isSource)
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
}
