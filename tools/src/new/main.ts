import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { planError } from './error.ts'
import { planModule } from './module.ts'
import { moduleNames, splitKey } from './names.ts'
import { METHODS, planOperation } from './operation.ts'
import { type Plan, writePlan } from './plan.ts'

const USAGE = `npm run new -- module NAME                            loyalty-cards: what there are many of
npm run new -- error AREA.KEY STATUS SENTENCE REMEDY  loyalty_cards.expired 409 "The card has expired" "Ask for a new one."
npm run new -- operation AREA.VERB_NOUN METHOD PATH   loyalty_cards.renew POST /api/loyalty-cards/{id}/renew

Writes what every module, error key or route has, wired in, so that npm run check passes; then says what is left to do.`

const root = join(import.meta.dirname, '../../..')

function main(args: readonly string[]): number {
  const plan = readPlan(args)
  if (plan === null) {
    console.error(USAGE)
    return 2
  }
  const { paths, left } = writePlan(root, plan)
  run('node_modules/.bin/oxfmt', paths)
  run('node', ['tools/src/generate/main.ts'])
  for (const path of paths) console.log(`${plan.files.has(path) ? 'written ' : 'changed '} ${path}`)
  console.log('\nWhat is left to do:')
  for (const step of [...left, ...plan.next]) console.log(`- ${step}`)
  return 0
}

function readPlan([kind, name = '', ...rest]: readonly string[]): Plan | null {
  if (kind === 'module' && rest.length === 0) {
    const names = moduleNames(name)
    return names === null ? null : planModule(root, names)
  }
  if (splitKey(name) === null) return null
  if (kind === 'error') {
    const [status = '', sentence, remedy] = rest
    if (!/^[45]\d\d$/.test(status) || sentence === undefined || remedy === undefined) return null
    return planError(root, { key: name, status: Number(status), sentence, remedy })
  }
  const [given, path] = rest
  const method = METHODS.find((known) => known === given)
  if (kind !== 'operation' || method === undefined || path?.startsWith('/') !== true) return null
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
