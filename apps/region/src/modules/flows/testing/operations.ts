/** The operations that the routes of flows call, for programs that call them without HTTP. */
export type { FlowsContext } from '../module.ts'
export {
  answerRun as answerAsCustomer,
  cancelRun as cancelAsCustomer,
  storeAnswerFile as storeFileAsCustomer,
} from '../customer-side/operations/act-on-run.ts'
export { locateRun as locateAsCustomer, readRun as readAsCustomer } from '../customer-side/operations/read-runs.ts'
export { createFlow } from '../service-side/operations/drafts.ts'
export { publishFlow } from '../service-side/operations/publish-flow.ts'
export { parseFlowName } from '../service-side/operations/read-published.ts'
export { storeAnswerFile as storeFileAsOwner } from '../service-side/runs/operations/answer-files.ts'
export { locateRun as locateAsOwner, readRun as readAsOwner } from '../service-side/runs/operations/read-runs.ts'
export { stageSource } from '../service-side/runs/operations/source-files.ts'
export { startRun, type Trigger } from '../service-side/runs/operations/start-run.ts'
export { answerAsOwner, cancelAsOwner } from '../service-side/runs/routes/acts.ts'
