export type { FlowId, FlowName, FlowVersion } from './model.ts'
export { type FlowsContext, type FlowsHooks, flowsMigrations, openFlows } from './module.ts'
export {
  deleteAssetsOfService,
  deleteFlowsOfService,
  listFlowRequestRows,
  listAssetObjects,
  type TemplateReader,
} from './service-side/index.ts'
export { forgetRuns, listPartyKeys, listRunFileObjects, listRunSignatures } from './customer-side/index.ts'
export { cancelByCopy, lockRunOfCopy, moveLine } from './service-side/signing/index.ts'
export {
  cancelRunsOf,
  deleteRunsOfService,
  flowsOfRunsThatNeed,
  hasRuns,
  levelChanged,
  listKeysOfRuns,
  listRunObjects,
} from './service-side/runs/index.ts'
