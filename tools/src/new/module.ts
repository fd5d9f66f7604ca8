import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Names } from './names.ts'
import type { Line, Plan } from './plan.ts'

const PROTOCOL = 'pure/protocol/src'
const REGION = 'apps/region/src'
const MATRIX = 'e2e/src/matrix'

/** A module of the region with one table and three routes, wired in: what every module has, ready to be changed. */
export function planModule(root: string, names: Names): Plan {
  const { kebabs, Pascals } = names
  const home = `${REGION}/modules/${kebabs}`
  const number = nextNumber(migrationNumbers(root))
  const file = (path: string, template: string): readonly [string, string] => [
    path,
    fill(template, { ...names, number }),
  ]
  return {
    files: new Map([
      file(`${home}/README.md`, 'README.md'),
      file(`${home}/index.ts`, 'index.ts'),
      file(`${home}/migrations.ts`, 'migrations.ts'),
      file(`${home}/store.ts`, 'store.ts'),
      file(`${home}/rules.ts`, 'rules.ts'),
      file(`${home}/rules.test.ts`, 'rules.test.ts'),
      file(`${home}/operations.ts`, 'operations.ts'),
      file(`${home}/routes.ts`, 'routes.ts'),
      file(`${home}/bus.ts`, 'bus.ts'),
      file(`${home}/${kebabs}.live.test.ts`, 'module.live.test.ts'),
      file(`${PROTOCOL}/operations/${kebabs}.ts`, 'protocol-operations.ts'),
      file(`${PROTOCOL}/asks/${kebabs}.ts`, 'protocol-ask.ts'),
      file(`${MATRIX}/examples/${kebabs}.ts`, 'matrix-examples.ts'),
    ]),
    lines: [...protocolLines(names), ...matrixLines(names), ...wiringLines(names)],
    next: [
      `say in ${home}/README.md what the module owns, and put its words into GLOSSARY.md`,
      `in ${REGION}/account-hooks.ts let an erased account go: onAccountDeleted: (tx, erased) => forget${Pascals}(tx, erased.id)`,
      `in ${REGION}/core.ts let other regions ask: answer${Pascals}(bus, { database }); without any, remove bus.ts and the ask`,
      `say in tools/lint/module-table.ts whom it may call`,
      `change table, routes and rules to what you need; npm run generate after a change of ${PROTOCOL}`,
      `decide in ${MATRIX}/who-may-what.ts who may call each route`,
      `./run npm run check, then ./run npx vitest run ${home} ${MATRIX}`,
    ],
  }
}

/** Exported, so that an operation in a file of its own is wired in the same way. */
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

function matrixLines({ kebabs, snakes, camel, words }: Names): readonly Line[] {
  const rows = ['create', 'read', 'delete'].map((act) => `  '${snakes}.${act}': region('portal'),\n`)
  return [
    {
      path: `${MATRIX}/who-may-what.ts`,
      text: `\n  // The ${words} of a company.\n${rows.join('')}`,
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

function wiringLines({ kebabs, camels, Pascal }: Names): readonly Line[] {
  const from = `from './modules/${kebabs}/index.ts'`
  return [
    {
      path: 'tools/lint/module-table.ts',
      text: `    ${/-/.test(kebabs) ? `'${kebabs}'` : kebabs}: ['account', 'access'],\n`,
      before: /^ {2}\},\n\}/m,
    },
    {
      path: `${REGION}/migrations.ts`,
      text: `import { ${camels}Migrations } ${from}\n`,
      after: /^import .* from '@sealpost\/postgres'\n/m,
    },
    { path: `${REGION}/migrations.ts`, text: `  ${camels}Migrations,\n`, before: /^\)/m },
    {
      path: `${REGION}/compose.ts`,
      text: `import { bind${Pascal}Routes } ${from}\n`,
      after: /^import .* from '\.\/core\.ts'\n/m,
    },
    {
      path: `${REGION}/compose.ts`,
      text: `  bind${Pascal}Routes(bind, core)\n`,
      after: /^ {2}const bind = routeBinder\(.*\n/m,
    },
  ]
}

function fill(template: string, words: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(import.meta.dirname, 'templates', `${template}.txt`), 'utf8')
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => {
    const value = words[word]
    if (value === undefined) throw new Error(`templates/${template}.txt asks for {{${word}}}`)
    return value
  })
}

/** Modules are a hundred apart, so that each has room for its later steps. */
function nextNumber(taken: readonly number[]): string {
  return String((Math.floor(Math.max(0, ...taken) / 100) + 1) * 100).padStart(4, '0')
}

function migrationNumbers(root: string): readonly number[] {
  const folder = join(root, REGION, 'modules')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)migrations(\.ts$|\/)/.test(path) && path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(/^ {2}'(\d{4})_/gm)])
    .map(([, number]) => Number(number))
}
