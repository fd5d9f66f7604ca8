import { runScenario } from '@sealpost/testkit'
import { httpScenario } from './http/scenario.ts'

/** `npm run bench -- NAME [--small]` */
process.exit(await runScenario([httpScenario], process.argv.slice(2)))
