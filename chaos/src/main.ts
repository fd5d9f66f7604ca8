import { runScenario } from '@sealpost/testkit'
import { approvalScenario } from './approval/scenario.ts'
import { busScenario } from './bus/scenario.ts'
import { deliveryScenario } from './delivery/scenario.ts'
import { failoverScenario } from './failover/scenario.ts'
import { fairnessScenario } from './fairness/scenario.ts'
import { flowsScenario } from './flows/scenario.ts'
import { forwarderScenario } from './forwarder/scenario.ts'
import { frontDoorsScenario } from './front-doors/scenario.ts'
import { frozenScenario } from './frozen/scenario.ts'
import { isolationScenario } from './isolation/scenario.ts'
import { overloadScenario } from './overload/scenario.ts'
import { pumpScenario } from './pump/scenario.ts'
import { restoreScenario } from './restore/scenario.ts'
import { rotationScenario } from './rotation/scenario.ts'
import { sealScenario } from './seal/scenario.ts'
import { sharingScenario } from './sharing/scenario.ts'
import { signingScenario } from './signing/scenario.ts'
import { soakScenario } from './soak/scenario.ts'

/** `npm run chaos -- NAME [--small]` */
const scenarios = [
  busScenario,
  restoreScenario,
  frontDoorsScenario,
  rotationScenario,
  sharingScenario,
  deliveryScenario,
  pumpScenario,
  isolationScenario,
  fairnessScenario,
  overloadScenario,
  failoverScenario,
  frozenScenario,
  sealScenario,
  approvalScenario,
  flowsScenario,
  forwarderScenario,
  signingScenario,
  soakScenario,
]
process.exit(await runScenario(scenarios, process.argv.slice(2)))
