import { runScenario } from '@sealpost/testkit'
import { approvalScenario } from './approval/scenario.ts'
import { bodiesScenario } from './bodies/scenario.ts'
import { connectionsScenario } from './connections/scenario.ts'
import { cryptoScenario } from './crypto/scenario.ts'
import { feedScenario } from './feed/scenario.ts'
import { flowsScenario } from './flows/scenario.ts'
import { forwarderScenario } from './forwarder/scenario.ts'
import { generateScenario } from './generate/scenario.ts'
import { httpScenario } from './http/scenario.ts'
import { idleScenario } from './idle/scenario.ts'
import { rowRemovalScenario } from './row-removal/scenario.ts'
import { sdkScenario } from './sdk/scenario.ts'
import { sealScenario } from './seal/scenario.ts'
import { tokenScenario } from './token/scenario.ts'
import { webhooksScenario } from './webhooks/scenario.ts'

/** `npm run bench -- NAME [--small]` */
const scenarios = [
  approvalScenario,
  bodiesScenario,
  connectionsScenario,
  cryptoScenario,
  feedScenario,
  flowsScenario,
  forwarderScenario,
  generateScenario,
  httpScenario,
  idleScenario,
  rowRemovalScenario,
  sdkScenario,
  sealScenario,
  tokenScenario,
  webhooksScenario,
]
process.exit(await runScenario(scenarios, process.argv.slice(2)))
