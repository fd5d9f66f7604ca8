import { runScenario } from '@sealpost/testkit'
import { cryptoScenario } from './crypto/scenario.ts'
import { httpScenario } from './http/scenario.ts'
import { tokenScenario } from './token/scenario.ts'

/** `npm run bench -- NAME [--small]` */
process.exit(await runScenario([cryptoScenario, httpScenario, tokenScenario], process.argv.slice(2)))
