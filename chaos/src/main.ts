import { runScenario } from '@sealpost/testkit'
import { busScenario } from './bus/scenario.ts'
import { restoreScenario } from './restore/scenario.ts'

/** `npm run chaos -- NAME [--small]` */
process.exit(await runScenario([busScenario, restoreScenario], process.argv.slice(2)))
