import { useThrowawayPostgres } from '@sealpost/testkit/engines'
import { checkDefinition } from './definitions/check-definition.ts'
import { playFlows, playSigning } from './flows/command.ts'
import { makeKeyPool } from './keys/key-pool.ts'
import { tryRun } from './keys/try-keys.ts'
import { tryMany } from './many.ts'
import { tryPlugins } from './plugins/command.ts'

type Model = (args: readonly string[]) => Promise<number>

/**
 * `npm run model -- flows`: runs in two regions, step by step as the model says.
 * `npm run model -- signing`: the same with documents, which are made, signed, declined and sealed.
 * `npm run model -- definitions`: publish checks and walks of the client half.
 * `npm run model -- plugins`: what clients send to plugins, also through a forwarder to one that records everything.
 * `npm run model -- keys`: everything that the readers of a run are sent, tried with all keys.
 */
const models: Readonly<Record<string, Model>> = {
  flows: withDatabases(playFlows),
  signing: withDatabases(playSigning),
  definitions: (args) => tryMany({ name: 'definitions', count: 10_000, small: 200, run: checkDefinition }, args),
  plugins: withDatabases(tryPlugins),
  async keys(args) {
    const pool = await makeKeyPool(12)
    const run = (seed: number, counts: Parameters<typeof tryRun>[2]) => tryRun(seed, pool, counts)
    return tryMany({ name: 'keys', count: 5_000, small: 100, run }, args)
  },
}

const USAGE = `usage: npm run model -- ${Object.keys(models).join('|')} [--small] [--count N] [--seed S]`

const [name = '', ...rest] = process.argv.slice(2)
const model = models[name]
if ([name, ...rest].some((word) => word === '--help' || word === '-h')) {
  console.log(USAGE)
  process.exit(0)
}
if (model === undefined) {
  console.error(USAGE)
  process.exit(2)
}
try {
  process.exit(await model(rest))
} catch (error) {
  if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error
  console.error(`${error.message}\n${USAGE}`)
  process.exit(2)
}

/** No model ends a server, so none needs a disk. */
function withDatabases(run: Model): Model {
  return async (args) => {
    const server = await useThrowawayPostgres()
    try {
      return await run(args)
    } finally {
      await server?.remove()
    }
  }
}
