import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { planError } from './error.ts'
import { planModule } from './module.ts'
import { moduleNames, splitKey } from './names.ts'
import { METHODS, planOperation } from './operation.ts'
import { type Plan, writePlan } from './plan.ts'

const USAGE = `npm run new -- module NAME [--sides]                  loyalty-cards (plural); --sides: a service sends to customers
npm run new -- error AREA.KEY STATUS SENTENCE REMEDY  loyalty_cards.expired 409 "The card has expired" "Ask for a new one."
npm run new -- operation AREA.VERB_NOUN METHOD PATH   loyalty_cards.renew POST /api/loyalty-cards/{id}/renew

Writes the files of a module, error key or route and wires them in; npm run check passes afterwards.`

const root = join(import.meta.dirname, '../../..')

function main(args: readonly string[]): number {
  const plan = readPlan(args)
  if (plan === null) {
    console.error(USAGE)
    return 2
  }
  const paths = writePlan(root, plan)
  run('node_modules/.bin/oxfmt', paths)
  run('node', ['tools/src/generate/main.ts'])
  for (const path of paths) console.log(`${plan.files.has(path) ? 'written ' : 'changed '} ${path}`)
  console.log('\nNext steps:')
  for (const step of plan.next) console.log(`- ${step}`)
  return 0
}

function readPlan([command, name = '', ...rest]: readonly string[]): Plan | null {
  if (command === 'module') {
    const names = moduleNames(name)
    const kind = rest.length === 0 ? 'module' : 'sides'
    return names === null || !['', '--sides'].includes(rest.join(' ')) ? null : planModule(root, names, kind)
  }
  if (splitKey(name) === null) return null
  if (command === 'error') {
    const [status = '', sentence, remedy] = rest
    if (!/^[45]\d\d$/.test(status) || sentence === undefined || remedy === undefined) return null
    return planError(root, { key: name, status: Number(status), sentence, remedy })
  }
  const [given, path] = rest
  const method = METHODS.find((known) => known === given)
  if (command !== 'operation' || method === undefined || path?.startsWith('/') !== true) return null
  return planOperation(root, { id: name, method, path })
}

function run(command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
}

try {
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  console.error(`new: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
