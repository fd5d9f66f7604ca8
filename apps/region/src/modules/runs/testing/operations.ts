/** The operations that the routes of runs call, for programs that call them without HTTP. */
export type { RunsContext } from '../module.ts'
export {
  answerRun as answerAsCustomer,
  cancelRun as cancelAsCustomer,
  storeAnswerFile as storeFileAsCustomer,
} from '../customer-side/operations/act-on-run.ts'
export { locateRun as locateAsCustomer, readRun as readAsCustomer } from '../customer-side/operations/read-runs.ts'
export { storeAnswerFile as storeFileAsOwner } from '../service-side/operations/answer-files.ts'
export { locateRun as locateAsOwner, readRun as readAsOwner } from '../service-side/operations/read-runs.ts'
export { stageSource } from '../service-side/operations/source-files.ts'
export { startRun, type Trigger } from '../service-side/operations/start-run.ts'
export { answerAsOwner, cancelAsOwner } from '../service-side/routes/acts.ts'
