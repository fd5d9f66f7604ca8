import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Names } from './names.ts'
import type { Line, Plan } from './plan.ts'

const PROTOCOL = 'pure/protocol/src'
const REGION = 'apps/region/src'
const MATRIX = 'e2e/src/matrix'

/**
 * A module of the region in the shape that all modules have, with routes, a bus handler and tests, wired in. `module`
 * has one table of the caller's account; `sides` sends from a service to a customer.
 */
export function planModule(root: string, names: Names, kind: 'module' | 'sides'): Plan {
  const home = `${REGION}/modules/${names.kebabs}`
  const [number, nextNumber] = nextNumbers(migrationNumbers(root))
  return {
    files: filledTemplates(kind, { ...names, number, nextNumber }),
    lines: [
      ...protocolLines(names),
      ...matrixLines(names, kind),
      ...composeLines(names),
      ...(kind === 'sides' ? sidesHookLines(names) : moduleHookLines(names)),
      tableLine(names, kind === 'sides' ? ['account', 'connections'] : ['account']),
    ],
    next: [
      `describe the module in ${home}/README.md and its words in GLOSSARY.md`,
      `replace table, routes and rules by your own; run npm run generate after a change of ${PROTOCOL}`,
      `decide in ${MATRIX}/who-may-what.ts who may call each route`,
      `./run npm run check, then ./run npx vitest run ${home} ${MATRIX}`,
    ],
  }
}

/** Exported, because `npm run new -- operation` wires a new file in the same way. */
export function operationFileLines(kebabs: string, camels: string): readonly Line[] {
  return [
    {
      path: `${PROTOCOL}/index.ts`,
      text: `export * from './operations/${kebabs}.ts'\n`,
      before: /^export \* from '\.\/regions\.ts'/m,
    },
    {
      path: `${PROTOCOL}/operations/index.ts`,
      text: `import * as ${camels} from './${kebabs}.ts'\n`,
      after: /^import type \{ Operation \}.*\n/m,
    },
    { path: `${PROTOCOL}/operations/index.ts`, text: `  ${camels},\n`, before: /^\]\.flatMap\(operationsOf\)/m },
  ]
}

function protocolLines({ kebabs, camels }: Names): readonly Line[] {
  return [
    {
      path: `${PROTOCOL}/index.ts`,
      text: `export * from './asks/${kebabs}.ts'\n`,
      before: /^export \* from '\.\/api-version\.ts'/m,
    },
    ...operationFileLines(kebabs, camels),
  ]
}

const ROUTES = {
  module: { create: 'portal', read: 'portal', delete: 'portal' },
  sides: { send: 'service', read_sent: 'service', read: 'person', delete: 'person' },
} as const

function matrixLines({ kebabs, snakes, camel, words }: Names, kind: 'module' | 'sides'): readonly Line[] {
  const rows = Object.entries(ROUTES[kind]).map(([verb, caller]) => `  '${snakes}.${verb}': region('${caller}'),\n`)
  return [
    {
      path: `${MATRIX}/who-may-what.ts`,
      text: `\n  // ${words.charAt(0).toUpperCase()}${words.slice(1)}.\n${rows.join('')}`,
      before: /^\}\n/m,
    },
    {
      path: `${MATRIX}/examples.ts`,
      text: `import { ${camel}Examples } from './examples/${kebabs}.ts'\n`,
      after: /^import type .*\n/m,
    },
    { path: `${MATRIX}/examples.ts`, text: `  ...${camel}Examples,\n`, before: /(?<=EXAMPLES: Examples = \{\n)/ },
  ]
}

function composeLines({ kebabs, camels, Pascals }: Names): readonly Line[] {
  const path = `${REGION}/compose.ts`
  return [
    {
      path,
      text: `import { ${camels}Migrations, open${Pascals} } from './modules/${kebabs}/index.ts'\n`,
      before: /^import type \{ Module, Platform \}/m,
    },
    { path, text: `  ${camels}Migrations,\n`, before: /(?<=^export const regionMigrations = [^)]*)^\)/m },
    {
      path,
      text: `  const ${camels} = open${Pascals}(platform)\n`,
      before: /^ {2}return \{[^}]*\}\n\}\n\nexport function list/m,
    },
    { path, text: `, ${camels}`, before: /,?\s*\}\n\}\n\nexport function listModules/ },
  ]
}

function moduleHookLines({ Pascals, kebabs }: Names): readonly Line[] {
  return [hookImport(kebabs, `deleteAll${Pascals}`), accountDeleted(Pascals)]
}

function sidesHookLines({ Pascals, kebabs }: Names): readonly Line[] {
  return [
    hookImport(kebabs, `deleteAll${Pascals}, deleteSent${Pascals}`),
    accountDeleted(Pascals),
    { path: `${REGION}/hooks.ts`, text: `deleteSent${Pascals}, `, after: /^ {4}onServiceGone: \[/m },
  ]
}

function hookImport(kebabs: string, names: string): Line {
  return {
    path: `${REGION}/hooks.ts`,
    text: `import { ${names} } from './modules/${kebabs}/index.ts'\n`,
    after: /^import type \{ Hooks, Modules \}.*\n/m,
  }
}

function accountDeleted(Pascals: string): Line {
  return {
    path: `${REGION}/hooks.ts`,
    text: `\n      (tx, { id }) => deleteAll${Pascals}(tx, id),`,
    before: /(?<=^ {4}onAccountDeleted: \[[\s\S]*?)\n {4}\],/m,
  }
}

function tableLine({ kebabs }: Names, mayCall: readonly string[]): Line {
  const name = kebabs.includes('-') ? `'${kebabs}'` : kebabs
  return {
    path: 'tools/lint/module-table.ts',
    text: `    ${name}: [${mayCall.map((module) => `'${module}'`).join(', ')}],\n`,
    before: /(?<=^ {2}region: \{[^}]*)^ {2}\},/m,
  }
}

/** The templates have the paths of the files that they become. */
function filledTemplates(kind: string, words: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const folder = join(import.meta.dirname, 'templates', kind)
  const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.txt'))
  return new Map(
    templates.map((path) => [
      fill(path.replace(/\.txt$/, ''), path, words),
      fill(readFileSync(join(folder, path), 'utf8'), path, words),
    ]),
  )
}

function fill(text: string, template: string, words: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => {
    const value = words[word]
    if (value === undefined) throw new Error(`the template ${template} uses the unknown {{${word}}}`)
    return value
  })
}

/** Modules are a hundred apart, so that each has room for later migrations. */
function nextNumbers(used: readonly number[]): readonly [string, string] {
  const first = (Math.floor(Math.max(0, ...used) / 100) + 1) * 100
  return [String(first).padStart(4, '0'), String(first + 1).padStart(4, '0')]
}

function migrationNumbers(root: string): readonly number[] {
  const folder = join(root, REGION, 'modules')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)migrations(\.ts$|\/)/.test(path) && path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(/^ {2}'(\d{4})_/gm)])
    .map(([, number]) => Number(number))
}
