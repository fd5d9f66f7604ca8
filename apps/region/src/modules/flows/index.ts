export type { FlowId, FlowName, FlowVersion } from './model.ts'
export { type FlowsContext, type FlowsHooks, flowsMigrations, openFlows } from './module.ts'
export {
  deleteAssetsOfService,
  deleteFlowsOfService,
  listFlowRequestRows,
  listAssetObjects,
  type TemplateReader,
} from './service-side/index.ts'
export { forgetRuns, listPartyKeys, listRunFileObjects } from './customer-side/index.ts'
export {
  cancelRunsOf,
  deleteRunsOfService,
  levelChanged,
  listKeysOfRuns,
  listRunObjects,
} from './service-side/runs/index.ts'
